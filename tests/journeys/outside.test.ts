import { afterAll, expect, it } from 'vitest'
import { accessibilityViolations, openVisitor, untilHydrated } from '#tests/browser.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())
const { octavo, post } = await openOctavo({
  CATALOGUE_SOURCES: 'openlibrary,google',
  OPENLIBRARY_URL: sites.openLibraryUrl,
  OPENLIBRARY_COVERS_URL: sites.openLibraryUrl,
  GOOGLE_BOOKS_URL: sites.googleBooksUrl,
})

const phone = { width: 390, height: 844 }

it('finds a book elsewhere, shows it, and where to get it', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: phone })
  const others: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && !url.startsWith(octavo.url)) others.push(url)
  })
  await page.goto('/explore?q=ferry+umbra')
  await page.getByText('Also searched Open Library and Google Books.').waitFor()
  await page
    .getByRole('link', { name: /night ferry to umbra/i })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /night ferry to umbra/i }).waitFor()
  await page.getByText('March 5, 2019 by').waitFor()
  await page
    .getByRole('link', { name: 'Image from Google Books' })
    .or(page.getByRole('link', { name: 'Image from Open Library' }))
    .waitFor()
  for (const [source, host] of [
    ['Google Books', 'books.google.com'],
    ['Open Library', 'openlibrary.org'],
  ] as const) {
    const link = page.getByText('Sources:').locator('..').getByRole('link', { name: source })
    expect(new URL((await link.getAttribute('href')) ?? '').hostname).toBe(host)
  }
  // A picture of the other site, handed out by this one.
  const cover = page.locator('article img').first()
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(330)
  await page.getByRole('heading', { name: 'Other Editions' }).waitFor()
  await page.getByRole('heading', { name: 'Spanish' }).waitFor()
  await page.getByText('Hardcover · 2020 by Farol · 340 pages').waitFor()
  expect(await page.getByRole('button', { name: /^This is mine/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'View Offers' }).click()
  const offers = page.getByRole('dialog', { name: 'Offers' })
  await offers.getByRole('tab', { name: 'Hard Cover' }).waitFor()
  const link = (name: string) => offers.getByRole('link', { name: new RegExp(`^${name}`) })
  await link('WorldCat').waitFor()
  await offers.getByLabel('Country').selectOption('DE')
  await link('Thalia').waitFor()
  expect(await link('Amazon').getAttribute('href')).toBe('https://www.amazon.de/dp/1861972717')
  expect(await link('Amazon').getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await offers.getByRole('tab', { name: 'eBooks' }).click()
  await link('Open Library').waitFor()
  await offers.getByRole('tab', { name: 'Audiobooks' }).click()
  await link('LibriVox').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => offers.count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(others).toEqual([])
})

it('makes a reader’s book another edition on all of their shelves, and takes it back', async () => {
  const reader = await openReader({ octavo, post }, 'polyglot', { viewport: phone })
  const { page, shelve, add, call } = reader
  const path = '/book/the-night-ferry-to-umbra-9781861972712'
  const book = { isbn: '9781861972712', page_count: 312, progress: 156 }
  const title = 'The night ferry to Umbra'
  const ids = [
    await add(await shelve('On the ferry'), title, book),
    await add(await shelve('Umbra'), title, book),
  ]
  const copies = () =>
    Promise.all(ids.map((id) => call('GET', `user_books/records/${id}`))).then((all) =>
      all.map(({ isbn, page_count, progress }) => ({ isbn, page_count, progress })),
    )
  await page.goto(path)
  const choose = page.getByRole('button', { name: /^This is mine: 9788445074879/ })
  await untilHydrated(choose)
  expect(await accessibilityViolations(page)).toEqual([])
  await choose.click()
  await page.waitForURL(/9788445074879$/)
  const other = { isbn: '9788445074879', page_count: 340, progress: 170 }
  await expect.poll(copies).toEqual([other, other])
  await expect.poll(() => page.getByLabel(/^Page of/).inputValue()).toBe('170')

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(`**${path}`)
  await expect.poll(copies).toEqual([book, book])
  await expect.poll(() => page.getByLabel(/^Page of/).inputValue()).toBe('156')

  // Who opens another edition can choose it there.
  await page.goto('/book/x-9788445074879')
  await page.getByText('Your edition').waitFor()
  await page.getByRole('button', { name: /^This is mine: 9788445074879/ }).click()
  await expect.poll(copies).toEqual([other, other])
  await expect.poll(() => page.getByText('Your edition').count()).toBe(0)
})

it('says where it looks while it does, and shows what is known here meanwhile', async () => {
  const { page } = await openVisitor(octavo.url)
  const looking = Promise.withResolvers<void>()
  // The page itself is there without other catalogues; this is what asks them.
  await page.route('**/api/v1/book-info/search?**', async (route) => {
    await looking.promise
    await route.continue()
  })
  await page.goto('/explore?q=dracula')
  await page.getByRole('link', { name: 'Dracula' }).first().waitFor()
  await page.getByText('Searching Open Library and Google Books too…').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  looking.resolve()
  await page.getByText('Also searched Open Library and Google Books.').waitFor()
})

it('names where else a book of its own catalogue is described', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/book/pride-and-prejudice-9780141439518')
  const also = page.getByText('See also:').locator('..')
  for (const [name, host] of [
    ['Google Books', 'books.google.com'],
    ['Open Library', 'openlibrary.org'],
  ] as const) {
    const link = also.getByRole('link', { name })
    expect(new URL((await link.getAttribute('href')) ?? '').hostname).toBe(host)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
  }
  expect(await page.getByText('Sources:').count()).toBe(0)
})

it('offers the free copy of a classic', async () => {
  const { page } = await openVisitor(octavo.url)
  await page.goto('/book/pride-and-prejudice-9780141439518')
  await page.getByRole('button', { name: 'View Offers' }).click()
  await page.getByRole('tab', { name: 'eBooks' }).click()
  const free = page.getByRole('link', { name: /^Project Gutenberg/ })
  await free.waitFor()
  expect(await free.getAttribute('href')).toBe('https://www.gutenberg.org/ebooks/1342')
})

it('says who did not answer, and shows what is known here', async () => {
  sites.behave('openlibrary', 'html')
  sites.behave('google', 'quota')
  const { page } = await openVisitor(octavo.url)
  await page.goto('/explore?q=frankenstein')
  await page.getByRole('link', { name: 'Frankenstein' }).first().waitFor()
  await page.getByText('Open Library and Google Books didn’t answer').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})
