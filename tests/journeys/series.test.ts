import { expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { shiftsOf, watchShifts } from '#tests/layout-shift.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post } = await openOctavo()

it('leads from a book to its series and its author, and back', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/book/x-9780439023498')
  await page.getByRole('heading', { name: 'Catching Fire', level: 1 }).waitFor()
  const preview = page.locator('meta[property="og:description"]')
  expect(await preview.getAttribute('content')).toBe('Catching Fire by Suzanne Collins')
  const row = page.getByRole('list', { name: 'In this series' })
  expect((await row.getByRole('heading').allInnerTexts()).slice(0, 3)).toEqual([
    'The Hunger Games',
    'Catching Fire',
    'Mockingjay',
  ])
  await page.getByRole('link', { name: 'The Hunger Games, book 2 of 3' }).click()
  await page.waitForURL('/series/the-hunger-games/the-hunger-games')
  const head = page.getByText('A series by Suzanne Collins')
  await head.getByRole('link', { name: 'Suzanne Collins' }).waitFor()
  const books = page.getByRole('list', { name: 'The Hunger Games' }).getByRole('listitem')
  // The boxed set comes behind the volumes.
  expect(await books.nth(0).innerText()).toContain('Book 1')
  expect(await books.nth(3).innerText()).toContain('1-3')
  expect(await page.getByText(/^You have/).count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.goto('/book/x-9780439023498')
  const others = page.getByRole('list', { name: 'More by Suzanne Collins' })
  expect(await others.getByRole('heading').allInnerTexts()).toContain('Gregor the Overlander')
  expect(await others.getByRole('heading', { name: 'Mockingjay' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Suzanne Collins', exact: true }).click()
  await page.waitForURL('/author/suzanne-collins/suzanne-collins')
  await page.getByRole('heading', { name: 'Suzanne Collins', level: 1 }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const series = page.getByRole('list', { name: 'Series', exact: true })
  await series.getByRole('link', { name: 'The Hunger Games' }).click()
  await page.waitForURL('/series/the-hunger-games/the-hunger-games')
  await head.getByRole('link', { name: 'Suzanne Collins' }).click()
  await page.waitForURL('/author/suzanne-collins/suzanne-collins')
})

it('shows a long series around the book, and leads to all of it', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/series/discworld/discworld')
  const all = await page.getByRole('list', { name: 'Discworld' }).getByRole('listitem').count()
  await page.getByRole('link', { name: 'Small Gods', exact: true }).click()
  await page.getByRole('heading', { name: 'Small Gods', level: 1 }).waitFor()
  const row = page.getByRole('list', { name: 'In this series' }).getByRole('listitem')
  expect(await row.count()).toBe(12)
  expect(await row.nth(5).innerText()).toContain('Small Gods')
  await page.getByRole('link', { name: `All ${all} books` }).click()
  await page.waitForURL('/series/discworld/discworld')
})

it('says what a reader has of a series, what is missing and what comes next', async () => {
  const { page, shelve, add } = await openReader({ octavo, post }, 'collector')
  const book = { isbn: '9780439023481', page_count: 374, status: 'completed' }
  await add(await shelve('Finished'), 'The Hunger Games', book)
  await watchShifts(page)
  await page.goto('/series/the-hunger-games/the-hunger-games')
  await page.getByText('You have 1 of 3.').waitFor()
  expect(await page.getByText('Missing: 2, 3.').count()).toBe(1)
  await untilHydrated(page.getByRole('button', { name: 'Want the 2 missing' }))
  expect(await shiftsOf(page)).toBe(0)
  const next = page.getByRole('region', { name: 'Next' })
  await next.getByText('Book 2').waitFor()
  await next.getByRole('link', { name: 'Catching Fire' }).click()
  await page.waitForURL('/book/catching-fire-9780439023498')
})

it('wants the missing volumes of a series at once, and takes that back', async () => {
  const { page, shelve, add, books } = await openReader({ octavo, post }, 'completist')
  const book = { isbn: '9780439023481', page_count: 374, status: 'completed' }
  await add(await shelve('Finished'), 'The Hunger Games', book)
  await page.goto('/series/the-hunger-games/the-hunger-games')
  await page.getByText('A series by Suzanne Collins · 3 books', { exact: false }).waitFor()
  const want = page.getByRole('button', { name: 'Want the 2 missing' })
  await untilHydrated(want)
  await want.click()
  await page.getByText('Added 2 books to your wanted books').waitFor()
  await page.getByText('Wanted: 2, 3.').waitFor()
  expect(await page.getByText('You have 1 of 3.').count()).toBe(1)
  expect(await page.getByText(/^Missing/).count()).toBe(0)
  expect((await books()).map(({ status }) => status)).toEqual(['planning', 'planning', 'completed'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Missing: 2, 3.').waitFor()
  expect(await books()).toHaveLength(1)

  const next = page.getByRole('region', { name: 'Next' })
  await next.getByRole('button', { name: 'Want to read' }).click()
  await next.getByText('Next, on your shelf').waitFor()
  await next.getByRole('button', { name: 'Start reading Catching Fire' }).click()
  await page.getByText('Started Catching Fire').waitFor()
  expect((await books()).map(({ status }) => status)).toEqual(['reading', 'completed'])
  expect(await accessibilityViolations(page)).toEqual([])
})

it('counts other editions and books without an ISBN', async () => {
  const { page, shelve, add } = await openReader({ octavo, post }, 'importer')
  const shelf = await shelve('Finished')
  const book = { isbn: '', authors: ['Suzanne Collins'], page_count: 374, status: 'completed' }
  await add(shelf, 'The Hunger Games (The Hunger Games, #1)', book)
  await add(shelf, 'Catching Fire', { ...book, status: 'reading' })
  await page.goto('/series/the-hunger-games/the-hunger-games')
  await page.getByText('You have 2 of 3.').waitFor()
  const next = page.getByRole('region', { name: 'Next' })
  expect(await next.getByRole('link', { name: 'Catching Fire' }).count()).toBe(1)
})

it('groups a reader’s books by series', async () => {
  const { page, home, shelve, add } = await openReader({ octavo, post }, 'grouper')
  const book = { isbn: '9780439023481', page_count: 374, status: 'completed' }
  await add(await shelve('Finished'), 'The Hunger Games', book)
  await page.goto(`${home}/books`)
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('menuitem', { name: 'Group by series' }).click()
  await page.waitForURL(`**${home}/books?group=series`)
  await page.getByRole('heading', { name: 'The Hunger Games', level: 3 }).first().waitFor()
  await page.getByText('You have 1 of 3.').waitFor()
  await page.getByText('Missing: 2, 3.').waitFor()
  await page.getByRole('link', { name: 'Next: Catching Fire' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await watchShifts(page)
  await page.reload()
  await page.getByText('You have 1 of 3.').waitFor()
  await untilHydrated(page.getByRole('button', { name: 'Options' }))
  expect(await shiftsOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('menuitem', { name: 'Show all books' }).click()
  await page.waitForURL(`**${home}/books`)

  // To others it is the list that it is without it.
  const { page: visitor } = await openVisitor(octavo.url)
  await visitor.goto(`${home}/books?group=series`)
  await visitor.getByRole('heading', { name: 'grouper’s Books', level: 1 }).waitFor()
  expect(await visitor.getByText(/^You have/).count()).toBe(0)
})

it('shows more of an author page by page', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: { width: 320, height: 640 } })
  await page.goto('/author/stephen-king/stephen-king')
  await page.getByText(/^\d+ books$/).waitFor()
  await page.getByRole('link', { name: 'More books' }).click()
  await page.waitForURL('/author/stephen-king/stephen-king?page=2')
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBeLessThanOrEqual(320)

  await page.goto('/author/stephen-king/stephen-king?page=50')
  await page.getByText('No results found.').waitFor()
  await page.getByRole('link', { name: 'Books by Stephen King' }).click()
  await page.waitForURL('/author/stephen-king/stephen-king')
  await page.getByRole('list', { name: 'Books by Stephen King' }).waitFor()
})
