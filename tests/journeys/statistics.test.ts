import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { KoreaderDevice } from '#tests/koreader-device.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()
const books = [
  ['Emma', 'Jane Austen', '2026-01-04'],
  ['Persuasion', 'Jane Austen', '2026-01-30'],
  ['Dracula', 'Bram Stoker', '2026-03'],
  ['Frankenstein', 'Jane Austen', '2026'],
  ['Jane Eyre', 'Charlotte Bronte', '2025-07-01'],
  ['Villette', 'Charlotte Brontë', '2026-03-20'],
] as const

/** A reader, and how they finish the books above. */
async function open(name: string) {
  const reader = await openReader({ octavo, post }, name)
  const shelf = await reader.shelve('Finished')
  const finish = async ([title, author, finished]: (typeof books)[number]) => {
    const edition = { language: 'eng', published: '1815', page_count: 300 }
    const book = { status: 'planning', authors: [author], genres: ['Classics'], ...edition }
    const id = await reader.add(shelf, title, book)
    const { book_key } = await reader.call('GET', `user_books/records/${id}`)
    const read = { finished, outcome: 'finished', pages: 300, rating: 8 }
    const reading = await reader.call('POST', 'readings/records', { book_key, ...read })
    return { book: id, reading: reading.id }
  }
  return { ...reader, shelf, finish }
}

/** The rows of a chart, each with its figures. */
async function rowsOf(page: Page, caption: string): Promise<string[]> {
  const table = page.getByRole('table', { name: caption })
  await table.waitFor()
  const rows = await table.locator('tbody tr').allInnerTexts()
  return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())
}

/** The titles of a list of readings, the newest first. */
async function listed(page: Page): Promise<string[]> {
  const items = page.getByRole('main').locator('li[data-place]')
  await items.first().waitFor()
  return items.locator('.sr-only').filter({ hasNotText: 'out of' }).allInnerTexts()
}

it('looks intended without books, and with the first ones', async () => {
  const { page, home, finish } = await open('begins')
  await page.goto(`${home}/stats`)
  await page.getByText('No finished books yet.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await finish(books[0])
  await page.goto(`${home}/stats?year=2026`)
  expect(await rowsOf(page, 'By month')).toEqual(['January 1 300 pages'])
  await page.getByText('4 more books, and ratings, genres and authors appear here.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

it('leads from each bar to the list of exactly its books', async () => {
  const { page, home, finish } = await open('counts')
  for (const book of books) await finish(book)
  await page.goto(`${home}/books`)
  await page.getByRole('link', { name: 'Stats', exact: true }).first().click()
  await page.getByRole('heading', { name: 'My Stats' }).waitFor()
  expect(await rowsOf(page, 'By year')).toEqual(['2025 1 300 pages', '2026 5 1,500 pages'])
  await page.getByRole('navigation', { name: 'Years' }).getByRole('link', { name: '2026' }).click()
  const months = [
    'January 2 600 pages',
    'February 0',
    'March 2 600 pages',
    'Month unknown 1 300 pages',
  ]
  expect(await rowsOf(page, 'By month')).toEqual(months)
  expect(await rowsOf(page, 'Authors')).toEqual([
    'Jane Austen 3',
    'Bram Stoker 1',
    'Charlotte Brontë 1',
  ])
  expect(await rowsOf(page, 'Languages')).toEqual(['English 5'])
  expect(await rowsOf(page, 'Published')).toEqual(['1810 to 1819 5'])
  await page.getByText('2 authors for the first time.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'January' }).press('Enter')
  await page.getByRole('heading', { name: 'January 2026', level: 1 }).waitFor()
  expect(await listed(page)).toEqual(['Persuasion', 'Emma'])
  await page.getByRole('link', { name: 'My Stats' }).click()
  await page.getByRole('link', { name: 'Month unknown' }).click()
  await page.getByRole('heading', { name: 'Month unknown · 2026' }).waitFor()
  expect(await listed(page)).toEqual(['Frankenstein'])
  // In both of its spellings.
  await page.goto(`${home}/stats`)
  await page.getByRole('link', { name: /Charlotte Bront/ }).click()
  await page.getByRole('heading', { name: /Charlotte Bront/, level: 1 }).waitFor()
  expect(await listed(page)).toEqual(['Villette', 'Jane Eyre'])
  expect(await accessibilityViolations(page)).toEqual([])
})

it('keeps removed books, leaves out what doesn’t count, and shows others what they may see', async () => {
  const { page, home, call, add, shelf, finish } = await open('keeps')
  const [emma, persuasion, dracula] = [
    await finish(books[0]),
    await finish(books[1]),
    await finish(books[2]),
  ]
  await call('PATCH', `readings/records/${emma.reading}`, { uncounted: true })
  await call('PATCH', `user_books/records/${persuasion.book}`, { isPrivate: true })
  await call('DELETE', `user_books/records/${dracula.book}`)
  const cranford = await add(shelf, 'Cranford', { page_count: 200 })
  await call('PATCH', `user_books/records/${cranford}`, { progress: 20 })
  await page.goto(`${home}/stats?year=2026`)
  expect(await rowsOf(page, 'By month')).toEqual([
    'January 1 300 pages',
    'February 0',
    'March 1 300 pages',
  ])
  await page.getByRole('heading', { name: 'Reading days' }).waitFor()
  await page.getByRole('link', { name: 'March' }).click()
  await page.getByRole('heading', { name: 'March 2026', level: 1 }).waitFor()
  expect(await listed(page)).toEqual(['Dracula'])

  await finish(books[5])
  const visitor = await openVisitor(octavo.url)
  await visitor.page.goto(`${home}/stats?year=2026`)
  await visitor.page.getByRole('heading', { name: 'keeps’s Stats' }).waitFor()
  expect(await rowsOf(visitor.page, 'By month')).toEqual(['March 1 300 pages'])
  expect(await visitor.page.getByRole('heading', { name: 'Reading days' }).count()).toBe(0)
})

it('counts only the books of a format, a genre, a tag or a shelf', async () => {
  const { page, home, call, shelve, finish } = await open('narrows')
  const [emma, persuasion, , , eyre] = [
    await finish(books[0]),
    await finish(books[1]),
    await finish(books[2]),
    await finish(books[3]),
    await finish(books[4]),
  ]
  await call('PATCH', `readings/records/${emma.reading}`, { format: 'audio', minutes: 90 })
  await call('PATCH', `user_books/records/${persuasion.book}`, { tags: ['Beach'] })
  await call('PATCH', `user_books/records/${eyre.book}`, { tags: ['beach'] })
  const secret = await shelve('Under the bed', 'private')
  await call('PATCH', `user_books/records/${persuasion.book}`, { shelf: secret })

  await page.goto(`${home}/stats?year=2026`)
  const years = page.getByRole('navigation', { name: 'Years' })
  const tag = page.getByLabel('Tag')
  await untilHydrated(tag)
  await tag.selectOption('Beach')
  await page.waitForURL('**/stats?year=2026&tag=Beach')
  await expect.poll(() => rowsOf(page, 'By month')).toEqual(['January 1 300 pages'])
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'January' }).click()
  await page.getByRole('heading', { name: 'January 2026 · Beach', level: 1 }).waitFor()
  expect(await listed(page)).toEqual(['Persuasion'])
  await page.getByRole('link', { name: 'My Stats' }).click()
  await years.getByRole('link', { name: 'All time' }).click()
  await expect.poll(() => rowsOf(page, 'By year')).toEqual(['2025 1 300 pages', '2026 1 300 pages'])

  await page.goto(`${home}/stats?year=2026&format=audio`)
  expect(await page.getByLabel('Format').inputValue()).toBe('audio')
  expect(await rowsOf(page, 'By month')).toEqual(['January 1 1.5 h'])
  await page.goto(`${home}/stats?genre=Classics&shelf=${secret}`)
  expect(await rowsOf(page, 'By year')).toEqual(['2026 1 300 pages'])
  await page.getByRole('link', { name: '2026', exact: true }).last().click()
  await page.getByRole('heading', { name: '2026 · Classics · Under the bed' }).waitFor()

  // Others find no shelf or tag of what they can't see.
  const visitor = await openVisitor(octavo.url)
  await visitor.page.goto(`${home}/stats?year=2026&tag=beach`)
  await visitor.page.getByText('No books here.').waitFor()
  await visitor.page.goto(`${home}/stats?shelf=${secret}`)
  await visitor.page.getByText('No books here.').waitFor()
  expect(await visitor.page.content()).not.toContain('Under the bed')
})

it('shows its reader alone at which hours they read on a device', async () => {
  const { page, home, call, finish } = await open('hours')
  const { book } = await finish(books[0])
  const { book_key } = await call('GET', `user_books/records/${book}`)
  const made = await call('POST', 'connections/records', { name: 'Kobo', kind: 'koreader' })
  const emma = { md5: 'a1', title: 'Emma', authors: 'Jane Austen' }
  const kobo = new KoreaderDevice(
    (path, init) => fetch(octavo.url + path, init),
    made as unknown as { username: string; password: string },
    [emma],
  )
  const start = Date.parse('2026-01-03T21:10:00Z') / 1000
  kobo.read({ md5: 'a1', page: 1, start: start - 3600, seconds: 60, pages: 400 })
  for (let n = 0; n < 60; n++)
    kobo.read({ md5: 'a1', page: n + 2, start: start + 100 * n, seconds: 90, pages: 400 })
  expect(await kobo.sync()).toEqual([201])
  const first = async (collection: string) => {
    const { items } = (await call('GET', `${collection}/records`)) as { items?: unknown }
    return (items as { id: string; minutes: number }[])[0]
  }
  await expect.poll(() => first('device_books')).toBeDefined()
  const device = await first('device_books')
  await call('PATCH', `device_books/records/${device!.id}`, { book_key })
  await expect.poll(async () => (await first('progress_log'))?.minutes).toBe(91)

  await page.goto(`${home}/stats?year=2026`)
  await page.getByRole('heading', { name: 'Hours of the day' }).waitFor()
  await page.getByText('Most of your reading begins around 9 PM.').waitFor()
  const rows = await rowsOf(page, 'Hours of the day')
  expect(rows).toHaveLength(24)
  expect(rows.slice(19, 24)).toEqual([
    '7 PM 0 h',
    '8 PM 0 h',
    '9 PM 0.8 h',
    '10 PM 0.8 h',
    '11 PM 0 h',
  ])
  expect(await accessibilityViolations(page)).toEqual([])
  const visitor = await openVisitor(octavo.url)
  await visitor.page.goto(`${home}/stats?year=2026`)
  await visitor.page.getByRole('heading', { name: 'hours’s Stats' }).waitFor()
  expect(await visitor.page.getByRole('heading', { name: 'Hours of the day' }).count()).toBe(0)
})
