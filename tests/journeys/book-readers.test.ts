import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

const emma = { path: '/book/emma-9780141439587', isbn: '9780141439587' }
const title = 'Emma'
const authors = ['Jane Austen']
const secret = 'He marries her'

const section = (page: Page) => page.getByRole('region', { name: 'What readers here say' })
const reviews = (page: Page) =>
  section(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })

/** Adds the book to a public shelf of a new reader. */
async function addReview(name: string, fields: object) {
  const reader = await openReader({ octavo, post }, name)
  const shelf = await reader.shelve('Bedside table')
  const book = { authors, isbn: emma.isbn, status: 'completed', ...fields }
  return { ...reader, book: await reader.add(shelf, title, book) }
}

it('shows nothing while nobody said anything', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto(emma.path)
  await page.getByRole('heading', { name: 'More like this' }).waitFor()
  expect(await section(page).count()).toBe(0)
  expect(await page.getByText(/\d ratings?/).count()).toBe(0)
})

describe('once readers said something', () => {
  it('shows reviews, and an average from three ratings on', async () => {
    const { page } = await openVisitor(octavo.url)
    await addReview('early', { rating: 8, review: 'Read it **twice**. ||They marry.||' })
    await addReview('middle', { rating: 9.5, review: secret, review_spoilers: true })
    await page.goto(emma.path)
    expect(await reviews(page).count()).toBe(2)
    expect(await page.getByText(/\d ratings?$/).count()).toBe(0)
    await addReview('late', {
      rating: 5,
      review: `مراجعة طويلة عن الحب والزواج\n\nLong. ${'Words and words. '.repeat(90)}`,
    })
    await page.goto(emma.path)
    expect(await page.getByText('3 ratings', { exact: true }).count()).toBe(2)
    // 22.5 of three ratings.
    await section(page).getByText('3.75', { exact: true }).waitFor()
    expect(await section(page).getByText('4.5: 1 rating').count()).toBe(1)
  })

  it('folds what tells the story, and cuts what is long', async () => {
    const { page } = await openVisitor(octavo.url)
    await page.goto(emma.path)
    expect(await page.getByText(secret).isVisible()).toBe(false)
    await section(page).getByText('This review contains spoilers').click()
    await page.getByText(secret).waitFor()
    expect(await page.getByText('They marry.').count()).toBe(0)
    const spoiler = section(page).getByRole('button', { name: 'Spoiler' })
    await untilHydrated(spoiler)
    await spoiler.click()
    await page.getByText('They marry.').waitFor()
    await section(page).getByRole('button', { name: 'Read on' }).click()
    await section(page).getByRole('button', { name: 'Show less' }).waitFor()
  })

  it('leads to each review’s own page, its reader and the way to report it', async () => {
    const { page } = await openReader({ octavo, post }, 'curious')
    await page.goto(emma.path)
    const report = section(page).getByRole('button', { name: 'Report the review by early' })
    await untilHydrated(report)
    await report.click()
    await page.getByRole('dialog', { name: 'Report profile' }).waitFor()
    await page.keyboard.press('Escape')
    await section(page).getByRole('link', { name: 'Review by early' }).click()
    await page.waitForURL(/\/u\/early\/books\/[a-z0-9]{15}$/)
    await page.getByText('Read it twice.').waitFor()
    await page.getByRole('link', { name: 'Book page' }).click()
    await page.getByRole('heading', { name: 'More like this' }).waitFor()
    expect(new URL(page.url()).pathname).toContain('/book/emma-9780141439587')
  })

  it('leads from a record to no page of a book that no catalogue has', async () => {
    const reader = await openReader({ octavo, post }, 'finder')
    const unknown = { authors: ['Nobody Known'], isbn: '9791034908738', review: 'A find.' }
    const record = await reader.add(await reader.shelve('Finds'), 'A rare find', unknown)
    const { page } = await openVisitor(octavo.url)
    await page.goto(`/u/finder/books/${record}`)
    await page.getByText('A find.').waitFor()
    await page.getByRole('link', { name: 'finder' }).waitFor()
    const link = page.getByRole('link', { name: 'Book page' })
    await expect.poll(() => link.count()).toBe(0)
  })

  it('opens a review ready to type, and shows it first', async () => {
    const { page, shelve, add } = await openReader({ octavo, post }, 'writer')
    await add(await shelve('Bedside table'), title, { authors, isbn: emma.isbn, rating: 7 })
    await page.goto(emma.path)
    const write = page.getByRole('button', { name: 'Write a review' })
    await untilHydrated(write)
    await write.click()
    const text = page.getByRole('textbox', { name: 'Review' })
    await expect.poll(() => text.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.type('Better every time.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => reviews(page).first().innerText()).toContain('Better every time.')
    expect(await reviews(page).first().innerText()).toContain('You')
    await page.getByRole('button', { name: 'Change your review' }).waitFor()
    await expect.poll(() => page.getByText('Better every time.').count()).toBe(1)
  })

  describe.each([320, 390, 820, 1440])('at %i pixels', (width) => {
    it.each(['light', 'dark'] as const)('looks right in the %s theme', async (colorScheme) => {
      const { page } = await openVisitor(octavo.url, {
        viewport: { width, height: 900 },
        colorScheme,
      })
      await watchShifts(page)
      await page.goto(emma.path)
      await section(page).scrollIntoViewIfNeeded()
      await untilHydrated(section(page).getByRole('button', { name: 'Read on' }))
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await shiftsOf(page)).toBeLessThan(0.02)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
    })
  })
})

it('gives a book without an ISBN a page, to whoever may see its record', async () => {
  const reader = await openReader({ octavo, post }, 'keeper')
  const { page, home, shelve, add, call } = reader
  const shelf = await shelve('Handmade')
  const id = await add(shelf, 'My grandmother’s recipes', { page_count: 40, review: 'By heart.' })
  await page.goto(`${home}/books`)
  await page.getByRole('link', { name: 'My grandmother’s recipes' }).first().click()
  await page.waitForURL(`**${home}/books/${id}`)
  await page.getByRole('slider', { name: 'Rate My grandmother’s recipes' }).waitFor()
  await page.getByRole('heading', { name: 'Your notes' }).waitFor()
  await page.goto(home)
  const timeline = page.getByRole('main').locator('ol')
  await timeline.getByRole('link', { name: 'My grandmother’s recipes' }).first().click()
  await page.waitForURL(`**${home}/books/${id}`)

  const ask = async (path: string) => {
    const answer = await fetch(octavo.url + path)
    return { status: answer.status, text: await answer.text() }
  }
  const open = await ask(`${home}/books/${id}`)
  expect(open.status).toBe(200)
  expect(open.text).toContain('By heart.')
  expect((await ask(`/u/early/books/${id}`)).status).toBe(404)
  expect((await ask(`${home}/books/aaaaaaaaaaaaaaa`)).status).toBe(404)
  await call('PATCH', `user_books/records/${id}`, { isPrivate: true })
  const closed = await ask(`${home}/books/${id}`)
  expect(closed.status).toBe(404)
  expect(closed.text).not.toContain('grandmother')
  await page.reload()
  await page.getByRole('heading', { name: 'My grandmother’s recipes' }).waitFor()
})

it('leads from a reader’s book that no catalogue has to its record, and nowhere once it is hidden', async () => {
  const { home, shelve, add, call } = await openReader({ octavo, post }, 'lender')
  const shelf = await shelve('Rarities')
  const rare = { isbn: '9783423145008', page_count: 40, review: 'Hard to find.' }
  const id = await add(shelf, 'A rare book', rare)
  const { page, allow } = await openVisitor(octavo.url)
  await page.goto(`/shelf/${shelf}`)
  const link = page.getByRole('link', { name: 'A rare book' }).first()
  await untilHydrated(link)
  await link.press('Enter')
  await page.waitForURL(`${home}/books/${id}`)
  await page.getByText('Hard to find.').waitFor()
  // The address that all its readers share leads there, too.
  await page.goto('/book/a-rare-book-9783423145008')
  expect(new URL(page.url()).pathname).toBe(`${home}/books/${id}`)

  await call('PATCH', `user_books/records/${id}`, { isPrivate: true })
  allow(/404/)
  expect((await page.goto('/book/a-rare-book-9783423145008'))?.status()).toBe(404)
  expect(await page.content()).not.toContain('Hard to find.')
})
