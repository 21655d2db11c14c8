import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const { octavo, post } = await openOctavo()

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the catalogue' })
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' })
const rows = (page: Page, group: string) =>
  list(page).getByRole('group', { name: group }).getByRole('option')

/** The list comes with the script that the first focus fetches: letters before it are not lost. */
async function type(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await list(page).waitFor()
}

/** Of the line that Enter would choose, as a screen reader is told. */
const active = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant')
    return id ? (document.getElementById(id)?.textContent ?? 'nothing') : ''
  })

/** The searches of this device, as they are stored. */
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('searches'))

describe('a reader who types in Explore', () => {
  it('is offered own books first, then the catalogue, by keyboard', async () => {
    const reader = await openReader({ octavo, post }, 'sea-reader')
    const { page } = reader
    const shelf = await reader.shelve('By the window', 'private')
    await reader.add(shelf, 'Dracula', { authors: ['Bram Stoker'], page_count: 400 })
    await page.goto('/explore')
    await type(page, 'drac')
    await expect.poll(() => rows(page, 'My books').allInnerTexts()).toHaveLength(1)
    await expect.poll(() => rows(page, 'My books').innerText()).toContain('Reading')
    expect(await field(page).getAttribute('aria-expanded')).toBe('true')
    expect(await accessibilityViolations(page)).toEqual([])

    await page.keyboard.press('Escape')
    await expect.poll(() => list(page).count()).toBe(0)
    expect(await field(page).inputValue()).toBe('drac')
    expect(await field(page).getAttribute('aria-expanded')).toBe('false')

    await page.keyboard.press('ArrowDown')
    await list(page).waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => active(page)).toContain('Dracula')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => active(page)).toBe('')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => active(page)).toContain('Dracula')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/u/sea-reader/books?title=Dracula')

    await page.goto('/explore')
    await type(page, 'frankenst')
    await rows(page, 'Catalogue').first().waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await expect.poll(() => active(page)).not.toBe('')
    await rows(page, 'Catalogue').filter({ hasText: 'Mary Shelley' }).first().click()
    await page.waitForURL(/\/book\/frankenstein-978/)
  })

  it('searches for the text when nothing in the list was chosen, and is reminded of it', async () => {
    const { page } = await openVisitor(octavo.url, phone)
    await page.goto('/explore')
    await type(page, 'pride')
    await expect.poll(() => list(page).getByRole('group').count()).toBe(1)
    for (const row of await rows(page, 'Catalogue').all())
      expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    const box = await list(page).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore?q=pride')
    await expect.poll(() => list(page).count()).toBe(0)
    await expect.poll(() => kept(page)).toContain('pride')

    await page.goto('/explore')
    await field(page).tap()
    await expect.poll(() => rows(page, 'Recent searches').allInnerTexts()).toEqual(['pride'])
    expect(await accessibilityViolations(page)).toEqual([])
    await rows(page, 'Recent searches').tap()
    await page.waitForURL('**/explore?q=pride')
    await expect.poll(() => field(page).inputValue()).toBe('pride')

    await type(page, 'prid')
    await rows(page, 'Catalogue').first().tap()
    await page.waitForURL(/\/book\/.*-978/)

    await page.goto('/explore')
    await field(page).tap()
    await expect
      .poll(() => rows(page, 'Recent searches').allInnerTexts())
      .toEqual(['prid', 'pride'])
    await page.getByRole('button', { name: 'Clear recent searches' }).tap()
    await expect.poll(() => list(page).count()).toBe(0)
    expect(await kept(page)).toBe(null)
  })

  it('leaves nothing searched behind for the next reader of the device', async () => {
    const reader = await openReader({ octavo, post }, 'leaver')
    const { page } = reader
    await page.goto('/explore')
    await type(page, 'emma')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore?q=emma')
    await expect.poll(() => kept(page)).toContain('emma')
    await page.getByRole('button', { name: 'Account of leaver' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('link', { name: 'Login' }).first().waitFor()
    await expect.poll(() => kept(page)).toBe(null)
  })
})

it('series and authors come before the books they have', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore')
  await type(page, 'expans')
  await expect
    .poll(() => list(page).getByRole('option').first().innerText())
    .toMatch(/^The Expanse\s+Series$/)
  await field(page).fill('le gui')
  await expect
    .poll(() => list(page).getByRole('option').first().innerText())
    .toMatch(/^Ursula K. Le Guin\s+Author$/)
  expect(await accessibilityViolations(page)).toEqual([])
  await list(page).getByRole('option').first().click()
  await page.waitForURL('**/author/ursula-k-le-guin/*')

  await page.goto('/explore?q=the+expanse')
  await page.getByRole('article').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Series The Expanse' }).click()
  await page.waitForURL('**/series/the-expanse/the-expanse')
})

it('letters that are still being composed ask for nothing', async () => {
  const reader = await openReader({ octavo, post }, 'snow-reader')
  const { context, page } = reader
  await reader.add(await reader.shelve('Winter'), '雪国', { authors: ['川端 康成'] })
  const asked: string[] = []
  await page.route('**/book-info/suggest?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('q') ?? '')
    return route.continue()
  })
  await page.goto('/explore')
  await type(page, 'em')
  await field(page).fill('')
  const composer = await context.newCDPSession(page)
  for (const text of ['y', 'ゆ', 'ゆき', '雪'])
    await composer.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 })
  await composer.send('Input.insertText', { text: '雪国' })
  await rows(page, 'My books').filter({ hasText: '雪国' }).waitFor()
  expect(asked).toEqual(['em', '雪国'])
})

it('an answer that comes late does not take the place of the newer one', async () => {
  const { page } = await openVisitor(octavo.url)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/book-info/suggest?q=dracula', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await page.goto('/explore')
  const late = page.waitForRequest('**/book-info/suggest?q=dracula')
  await field(page).fill('dracula')
  await late
  await field(page).fill('emma')
  await rows(page, 'Catalogue').filter({ hasText: 'Emma' }).first().waitFor()
  release()
  await page.unrouteAll({ behavior: 'wait' })
  expect(await rows(page, 'Catalogue').allInnerTexts()).not.toContainEqual(
    expect.stringContaining('Dracula'),
  )
})
