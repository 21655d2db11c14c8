import { describe, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, type Reader } from '#tests/reader.ts'

const phone = { width: 390, height: 844 }
const { octavo, post } = await openOctavo()

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
const rows = (page: Page, group: string) =>
  palette(page).getByRole('group', { name: group }).getByRole('option')

/** The key works once its script has come, which a busy machine may take its time for. */
async function openPalette(page: Page): Promise<void> {
  while (!(await palette(page).isVisible())) {
    await page.keyboard.press('Control+k')
    // Pressed again while its script is on its way, the key could close what it has just opened.
    await palette(page)
      .waitFor({ timeout: 3000 })
      .catch(() => undefined)
  }
}

describe('a reader', () => {
  let reader: Reader
  let shelf: string

  async function open(name: string, options: Parameters<typeof openReader>[2] = {}): Promise<void> {
    reader = await openReader({ octavo, post }, name, options)
    shelf = await reader.shelve('On the table', 'private')
    await reader.add(shelf, 'Emma', { authors: ['Jane Austen'], page_count: 474, progress: 120 })
    await reader.add(shelf, 'Persuasion', { authors: ['Jane Austen'], status: 'planning' })
    await reader.page.goto('/explore')
  }

  it('keeps what is typed while its code is on its way', async () => {
    await open('quick-typist')
    const { page } = reader
    const waiting = Promise.withResolvers<void>()
    await page.route(/\/shortcut-dialogs-[^/]*\.js$/, async (route) => {
      await waiting.promise
      await route.continue()
    })
    await page.reload()
    await openPalette(page)
    await page.keyboard.type('emm')
    waiting.resolve()
    const field = page.getByRole('combobox')
    await expect.poll(() => field.inputValue()).toBe('emm')
    await page.keyboard.type('a 57')
    expect(await field.inputValue()).toBe('emma 57')
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    // A second time it is empty.
    await openPalette(page)
    expect(await field.inputValue()).toBe('')
  })

  // 6 s: many searches, one after the other.
  it('finds own books, pages, readers and deeds by keyboard', async () => {
    await open('austen-reader')
    const { page } = reader
    await openReader({ octavo, post }, 'austen-friend')
    const hidden = await openReader({ octavo, post }, 'austen-hermit')
    const settings = `settings/records?filter=${encodeURIComponent(`user = "${hidden.id}"`)}`
    const [own] = (await hidden.call('GET', settings))['items'] as { id: string }[]
    await hidden.call('PATCH', `settings/records/${own!.id}`, { isPrivate: true })

    await openPalette(page)
    await expect.poll(() => rows(page, 'Reading now').allInnerTexts()).toHaveLength(1)
    await expect.poll(() => rows(page, 'Reading now').innerText()).toContain('120 of 474')
    expect(await accessibilityViolations(page)).toEqual([])

    await page.keyboard.type('austen')
    await expect.poll(() => rows(page, 'My books').count()).toBe(2)
    await expect
      .poll(async () => (await rows(page, 'Readers').allInnerTexts()).join(' '))
      .toMatch(/@austen-friend.*@austen-reader/s)
    expect(await palette(page).innerText()).not.toContain('hermit')
    expect(await accessibilityViolations(page)).toEqual([])

    await page.getByRole('combobox').fill('frankenst')
    await rows(page, 'Catalogue').filter({ hasText: 'Mary Shelley' }).first().click()
    await page.waitForURL(/\/book\/frankenstein-978/)
    await openPalette(page)
    // The sheet is where its page is set, and the screen stays what it was.
    await page.getByRole('combobox').fill('emma')
    await expect.poll(() => rows(page, 'My books').count()).toBe(1)
    await rows(page, 'My books').click()
    const sheet = page.getByRole('dialog', { name: 'Emma' })
    await expect.poll(() => sheet.getByLabel('Page', { exact: true }).inputValue()).toBe('120')
    expect(page.url()).toMatch(/\/book\/frankenstein-978/)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await openPalette(page)
    await page.keyboard.type('wish')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/u/austen-reader/wishlist')

    await openPalette(page)
    await page.keyboard.type('shortcuts')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')

    await openPalette(page)
    await page.keyboard.type('by hand')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    // A form is not laid over.
    await page.keyboard.press('Control+k')
    await expect.poll(() => palette(page).count()).toBe(0)
  })

  it('finds a book by what its reader wrote about it', async () => {
    await open('austen-rememberer')
    const { page } = reader
    const notes = 'Bea gave me this. The picnic on Box Hill still stings!'
    await reader.add(shelf, 'Emma, again', { authors: ['J. Austen'], notes })
    await openPalette(page)
    await page.keyboard.type('picnic')
    const row = rows(page, 'In my tags, notes and quotes')
    await expect.poll(() => row.allInnerTexts()).toHaveLength(1)
    expect(await row.innerText()).toMatch(
      /Emma, again\s+The picnic on Box Hill still stings!\s+Note/,
    )
    expect(await accessibilityViolations(page)).toEqual([])
    await row.click()
    await page.getByRole('dialog', { name: 'Emma, again' }).waitFor()
  })

  it('keeps the highlight where it was put, or else on the best row, though rows come late', async () => {
    await open('austen-late')
    const { page } = reader
    const held: (() => void)[] = []
    let holds = true
    await page.route(/\/book-info\/suggest/, async (route) => {
      if (holds) await new Promise<void>((release) => held.push(release))
      await route.continue()
    })
    const highlighted = () =>
      palette(page).locator('[role="option"][aria-selected="true"]').allInnerTexts()
    const meant = () =>
      page.getByRole('combobox', { name: 'Find anything' }).evaluate((field) => {
        const row = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
        return row?.textContent ?? ''
      })
    const release = () => {
      holds = false
      for (const answer of held.splice(0)) answer()
    }

    await openPalette(page)
    await page.keyboard.type('em')
    await expect.poll(highlighted).toEqual(['Recently removed'])
    await expect.poll(() => held.length).toBeGreaterThan(0)
    release()
    await rows(page, 'My books').first().waitFor()
    await expect.poll(async () => (await highlighted()).join(' ')).toMatch(/^Emma/)
    await expect.poll(meant).toMatch(/^Emma/)

    holds = true
    await page.getByRole('combobox').fill('e')
    await rows(page, 'My books').first().waitFor({ state: 'hidden' })
    await page.getByRole('combobox').fill('persuasion')
    await expect.poll(highlighted).toEqual(['Search the catalogue for “persuasion”'])
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => held.length).toBeGreaterThan(0)
    release()
    await rows(page, 'My books').first().waitFor()
    await expect.poll(highlighted).toEqual(['Search the catalogue for “persuasion”'])
    await expect.poll(meant).toBe('Search the catalogue for “persuasion”')
  })

  it('shows what is being read as it is by now', async () => {
    await open('austen-finisher')
    const { page } = reader
    await openPalette(page)
    await expect.poll(() => rows(page, 'Reading now').count()).toBe(1)
    await rows(page, 'Reading now').click()
    const sheet = page.getByRole('dialog', { name: 'Emma' })
    await sheet.getByRole('radio', { name: 'Completed' }).click()
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.waitFor({ state: 'detached' })
    await openPalette(page)
    await expect.poll(() => rows(page, 'Reading now').count()).toBe(0)
  })

  it('finds the same by touch, from the menu under the thumb', async () => {
    await open('austen-thumb', { viewport: phone, hasTouch: true, isMobile: true })
    const { page } = reader
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Find anything' }).tap()
    await expect.poll(() => rows(page, 'Reading now').count()).toBe(1)
    for (const row of await palette(page).getByRole('option').all())
      expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await accessibilityViolations(page)).toEqual([])
    // Where there are no keys, there is nothing to tell of them.
    expect(await rows(page, 'Actions').allInnerTexts()).not.toContain('Keyboard shortcuts')
    await page.getByRole('combobox').fill('settings')
    await rows(page, 'Pages').tap()
    await page.waitForURL('**/account/settings')
    await page.getByRole('button', { name: 'Account of austen-thumb' }).tap()
    await page.getByRole('menuitem', { name: 'Find anything' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).count()).toBe(0)
  })

  it('closes with what opened it or Escape, and gives the focus back', async () => {
    await open('austen-keys')
    const { page } = reader
    const field = page.getByRole('combobox', { name: 'Search the catalogue' })
    const hasFocus = (of: Locator) => of.evaluate((e) => e === document.activeElement)
    const openToType = async () => {
      await openPalette(page)
      await expect.poll(() => hasFocus(palette(page).getByRole('combobox'))).toBe(true)
    }
    await field.focus()
    await openToType()
    await page.keyboard.press('Escape')
    await expect.poll(() => palette(page).count()).toBe(0)
    await expect.poll(() => hasFocus(field)).toBe(true)
    await openToType()
    await page.keyboard.press('Control+k')
    await expect.poll(() => palette(page).count()).toBe(0)
  })
})

it('a visitor finds pages and the catalogue, and nothing of a library', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/')
  await openPalette(page)
  await expect.poll(() => rows(page, 'Pages').allInnerTexts()).toContain('Explore')
  const labels = await palette(page).getByRole('option').allInnerTexts()
  expect(labels).toContain('Login')
  for (const own of ['Books', 'Wishlist', 'Settings', 'Logout', 'Scan ISBN'])
    expect(labels).not.toContain(own)

  await page.keyboard.type('xyzzy plugh')
  await expect
    .poll(() => palette(page).getByRole('option').allInnerTexts())
    .toEqual(['Search the catalogue for “xyzzy plugh”'])
  await page.getByRole('combobox').fill('le guin')
  await expect
    .poll(() => rows(page, 'Series and authors').allInnerTexts())
    .toEqual([expect.stringContaining('Ursula K. Le Guin')])
  await page.getByRole('combobox').fill('expanse')
  await rows(page, 'Series and authors').filter({ hasText: 'The Expanse' }).click()
  await page.waitForURL('**/series/the-expanse/the-expanse')
  await openPalette(page)
  await page.getByRole('combobox').fill('frankenstein')
  await page.getByText('Search the catalogue for “frankenstein”').click()
  await page.waitForURL('**/explore?q=frankenstein')
  await page.getByRole('article').first().waitFor()
})

it('"/" leads to the search of the page, or else to the palette; "?" lists the keys', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  const field = page.getByRole('combobox', { name: 'Search the catalogue' })
  await expect
    .poll(async () => {
      await page.keyboard.press('/')
      return field.evaluate((e) => e === document.activeElement)
    })
    .toBe(true)
  // In a field they are letters.
  await field.fill('')
  await page.keyboard.type('w/o?')
  await expect.poll(() => field.inputValue()).toBe('w/o?')

  await page.goto('/pricing')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect
    .poll(async () => {
      if (!(await keys.isVisible())) await page.keyboard.press('?')
      return keys.isVisible()
    })
    .toBe(true)
  expect(await keys.innerText()).toContain('Find anything')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => keys.count()).toBe(0)
  await page.keyboard.press('/')
  await palette(page).waitFor()
})
