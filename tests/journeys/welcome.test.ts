import { describe, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { accessibilityViolations, openVisitor } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader, password } from '#tests/reader.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 800 } }

const { octavo, post, mailedCode } = await openOctavo()

const asksForBooks = (page: Page) =>
  page.getByRole('heading', { name: 'What are you reading now?', level: 1 }).waitFor()
const found = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Found books' }).getByRole('button', { name: title }).first()

/** The search works once its script has come. */
async function look(page: Page, text: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByRole('searchbox').fill(text)
}

describe('on a phone', () => {
  it('the first book with its page is eight presses from the landing page', async () => {
    const { page } = await openVisitor(octavo.url, phone)
    let presses = 0
    const press = async (button: Locator) => {
      presses += 1
      await button.click()
    }
    const email = 'newcomer@example.org'
    await page.goto('/')
    await press(page.getByRole('main').getByRole('link', { name: 'Sign Up' }).first())
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await press(page.getByRole('main').getByRole('button', { name: 'Sign Up' }))
    await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
    await page.getByLabel('Code').fill(await mailedCode(email))

    await page.waitForURL('**/welcome')
    await asksForBooks(page)
    await press(page.getByRole('searchbox'))
    await page.keyboard.type('frankens')
    await press(found(page, 'Frankenstein'))
    // The next thing to say is the page, and the cursor is there.
    const field = page.getByLabel(/^Page.*Frankenstein$/)
    await expect.poll(() => field.evaluate((e) => e === document.activeElement)).toBe(true)
    await page.keyboard.type('57')
    await press(page.getByRole('button', { name: 'Add this book' }))
    await page.waitForURL(/\/u\/[^/]+\/books$/)
    await page.getByRole('button', { name: /^Frankenstein: Reading/ }).waitFor()
    await page
      .getByText(/57 of \d+ pages/)
      .first()
      .waitFor()
    expect(presses).toBeLessThanOrEqual(8)
  })

  it('several books are picked, and what is wrong is said at its field', async () => {
    const visitor = await openReader({ octavo, post }, 'several', phone)
    const { page } = visitor
    visitor.allow(/status of 400/)
    // Others see this one: it is not where books go that only their reader shall see.
    await visitor.shelve('Reading now')
    await page.goto('/welcome')
    await asksForBooks(page)
    await look(page, 'pride and prej')
    await found(page, 'Pride and Prejudice').click()
    await look(page, 'dracula')
    await found(page, 'Dracula').click()
    expect(await accessibilityViolations(page)).toEqual([])
    const far = page.getByLabel(/^Page.*Dracula$/)
    await far.fill('99999')
    await page.getByLabel('Only I can see them').check()
    await page.getByRole('button', { name: 'Add 2 books' }).click()
    await page.getByText('Progress cannot exceed the total page count.').waitFor()
    expect(await far.inputValue()).toBe('99999')
    await expect.poll(() => far.evaluate((e) => e === document.activeElement)).toBe(true)
    // The other one is there, and is not sent again.
    await expect.poll(async () => (await visitor.books()).length).toBe(1)
    await far.fill('12')
    await page.getByRole('button', { name: 'Add this book' }).click()
    await page.waitForURL(`**${visitor.home}/books`)
    const books = await visitor.books()
    expect(books.map(({ title, progress, status }) => ({ title, progress, status }))).toEqual([
      { title: 'Dracula', progress: 12, status: 'reading' },
      { title: 'Pride and Prejudice', progress: 0, status: 'reading' },
    ])
    const mine = encodeURIComponent(`user = "${visitor.id}"`)
    const shelves = (await visitor.call('GET', `bookshelves/records?filter=${mine}`))['items']
    expect(shelves).toHaveLength(2)
    expect(shelves).toContainEqual(
      expect.objectContaining({ name: 'Reading now', visibility: 'private', book_count: 2 }),
    )
  })
})

describe('on a desktop', () => {
  it('offers books before anything is typed', async () => {
    const { page, home, books } = await openReader({ octavo, post }, 'offered', desktop)
    await page.goto('/welcome')
    await page.waitForLoadState('networkidle')
    const offered = page.getByRole('region', { name: 'Or pick a popular one' })
    await expect.poll(() => offered.getByRole('button').count()).toBe(6)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('searchbox').fill('dracula')
    await found(page, 'Dracula').waitFor()
    // What was asked for stands alone.
    await expect.poll(() => offered.count()).toBe(0)
    await page.getByRole('searchbox').fill('')

    const book = offered.getByRole('button').first()
    const title = await book.innerText()
    await book.click()
    await page.getByRole('button', { name: `Remove ${title}` }).waitFor()
    await expect.poll(() => offered.getByRole('button').count()).toBe(5)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add this book' }).click()
    await page.waitForURL(`**${home}/books`)
    expect((await books()).map((one) => one['title'])).toEqual([title])
    // The shelf that was made on the way is known everywhere.
    await page.getByRole('button', { name: new RegExp(`^${title}: Reading`) }).click()
    const stands = page.getByRole('dialog').getByLabel('Shelf').locator('option:checked')
    await expect.poll(() => stands.innerText()).toBe('Reading now')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.goto('/explore')
    await page.getByRole('button', { name: /^Add To Kill a Mockingbird/ }).click()
    // There is one shelf to choose, and it is chosen.
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Added To Kill a Mockingbird to Reading now').waitFor()
  })

  it('lets readers scan, look around or go back instead', async () => {
    const { page } = await openReader({ octavo, post }, 'free', desktop)
    await page.goto('/explore')
    await page.goto('/welcome')
    await look(page, 'qqqqzzzz')
    await page.getByText('No books found.').waitFor()
    await page.getByRole('button', { name: 'Scan a shelf' }).click()
    const scanner = page.getByRole('dialog', { name: 'Add book by scanning ISBN' })
    await scanner.waitFor()
    await expect.poll(() => scanner.getByRole('radio', { name: 'A pile' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => scanner.count()).toBe(0)
    await page.getByRole('link', { name: 'Look around' }).click()
    await page.waitForURL('**/explore')
    await page.goBack()
    await asksForBooks(page)
    await page.goBack()
    await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  })
})

it('is for readers, and does not interrupt anyone on the way to a page', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/welcome')
  await page.waitForURL(/\/login\?origin=%2Fwelcome$/)
  const email = 'traveller@example.org'
  const book = '/book/pride-and-prejudice-9780141439518'
  await page.goto(`/signup?origin=${encodeURIComponent(book)}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  await page.getByRole('heading', { name: 'Two-Step Verification' }).waitFor()
  await page.getByLabel('Code').fill(await mailedCode(email))
  await page.waitForURL(octavo.url + book)
  const add = page.getByRole('button', { name: 'Add to shelf' })
  await add.waitFor()
  expect(await add.count()).toBe(1)
})
