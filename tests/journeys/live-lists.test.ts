import { expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const free = await openOctavo()
// As for readers: who asks too often is refused.
const limited = await openOctavo({ RATE_LIMITS: 'on' })

/** The pages of a list that the page asks for from now on. */
function requestedPages(page: Page, path: string): string[] {
  const found: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith(path)) found.push(url.searchParams.get('page') ?? '')
  })
  return found
}

const shownShelves = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 })

it('fetches the pages of a list that are in sight again, and others when they are', async () => {
  const { page, home, shelve } = await openReader(free, 'collector', {
    viewport: { width: 390, height: 844 },
  })
  for (let n = 1; n <= 41; n++) await shelve(`Shelf ${n}`)
  await page.goto(`${home}/shelves`)
  // To the end of the list.
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 5000)
      return shownShelves(page).count()
    })
    .toBe(41)
  await page.getByRole('heading', { name: 'Shelf 1', exact: true }).scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')

  const asked = requestedPages(page, '/bookshelves/records')
  await shelve('Shelf 42')
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('42')
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect(asked.map(Number).filter((number) => number < 4)).toEqual([])

  await page.evaluate(() => window.scrollTo(0, 0))
  await shownShelves(page).getByText('Shelf 42').waitFor()
  // Nothing is missing or there twice once all of it was in sight.
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 900)
      return (await shownShelves(page).allInnerTexts()).toSorted()
    })
    .toEqual(Array.from({ length: 42 }, (_, n) => `Shelf ${n + 1}`).toSorted())
})

it('shows the quotes of a book by page', async () => {
  const { page, home, id: user, call, shelve, add } = await openReader(free, 'quoter')
  const book = await add(await shelve('Shelf'), 'Walden')
  const { book_key } = await call('GET', `user_books/records/${book}`)
  const quotes: string[] = []
  for (let n = 1; n <= 20; n++) {
    const quote = { user, book_key, text: `Quote ${n}`, page: n, isPrivate: false }
    quotes.push((await call('POST', 'quotes/records', quote)).id)
  }
  const address = `${home}/books/${book}`
  const html = await (await fetch(free.octavo.url + address)).text()
  expect(html.match(/<blockquote/g)).toHaveLength(15)

  await page.goto(address)
  const shown = page.getByRole('list', { name: 'Quotes' }).locator('blockquote')
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 5000)
      return shown.count()
    })
    .toBe(20)
  await call('DELETE', `quotes/records/${quotes[0]}`)
  await expect.poll(() => shown.first().innerText()).toBe('Quote 2')
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 5000)
      return shown.allInnerTexts()
    })
    .toEqual(Array.from({ length: 19 }, (_, n) => `Quote ${n + 2}`))
})

/** Watches a number until something else is there. @returns the numbers that were shown */
async function follow(number: Locator, end: Locator): Promise<number[]> {
  const seen: number[] = []
  await expect
    .poll(
      async () => {
        const [text = ''] = await number.allInnerTexts()
        const shown = Number(text.replaceAll(/\D/g, ''))
        if (shown > 0 && shown !== seen.at(-1)) seen.push(shown)
        return end.isVisible()
      },
      { timeout: 120_000 },
    )
    .toBe(true)
  return seen
}

// 20 s: what is shown has to come from thousands of events.
it('follows an import to its end, with a second page open', { timeout: 240_000 }, async () => {
  const reader = await openReader(limited, 'mover')
  const { page, context, home, problems } = reader
  const refusals: string[] = []
  context.on('response', (answer) => {
    if (answer.status() === 429) refusals.push(answer.url())
  })
  const second = await context.newPage()
  await second.goto(`${home}/books`)
  await second.getByRole('heading', { name: 'My Books' }).waitFor()
  const wall = await context.newPage()
  await wall.goto(`${home}/shelves`)

  await page.goto('/account/imports')
  const rows = Array.from({ length: 2000 }, (_, n) => `${n},Volume ${n},Author ${n % 50},read,100`)
  const text = ['Book Id,Title,Author,Exclusive Shelf,Number of Pages', ...rows].join('\n')
  await page
    .getByLabel('Choose file')
    .setInputFiles({ name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const counts = await follow(
    page.getByText(/rows? read so far$/),
    page.getByRole('button', { name: /^Add / }),
  )
  // It went on, and neither stood still nor fell back.
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  await page.getByRole('button', { name: 'Add 2,000 books' }).click()
  await page.getByRole('link', { name: 'See the shelf' }).waitFor({ timeout: 120_000 })
  await expect
    .poll(() => second.getByRole('heading', { level: 1 }).innerText(), { timeout: 30_000 })
    .toMatch(/2,000/)
  await wall.getByText('2,000 books').waitFor()
  expect(refusals).toEqual([])
  expect(problems).toEqual([])
})
