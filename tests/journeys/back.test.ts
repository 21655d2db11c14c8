import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { BookReaders, Review } from '#shared/book-readers.ts'
import { openVisitor, untilHydrated, type CookieJar } from '#tests/browser.ts'
import { openOctavo } from '#tests/open-octavo.ts'
import { openReader } from '#tests/reader.ts'

const { octavo, post, newAccount } = await openOctavo()

const books = 240
/** Entries of the timeline. */
const entries = 60
/** More readers than a page of the directory has. */
const others = 34

/** Copies the one book of a shelf and its entry; every second book is planned, for the wishlist. */
function multiply(shelf: string): void {
  const db = new DatabaseSync(join(octavo.dataDir, 'octavo.db'), { timeout: 20_000 })
  const copy = (table: string, count: number, made: Record<string, string>) => {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(table)
    const names = columns.map(({ name }) => `"${String(name)}"`)
    const values = columns.map(({ name }) => made[String(name)] ?? `"${String(name)}"`)
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
      INSERT INTO ${table} (${names.join()})
      SELECT ${values.join()} FROM ${table}, n WHERE shelf = '${shelf}'`)
  }
  const id = `SUBSTR(id, 1, 9) || printf('%06d', i)`
  copy('user_books', books, {
    id,
    title: `'Volume ' || printf('%03d', i)`,
    // The last digit is the sum of the others, every second one times three.
    isbn: `printf('978000000%03d%d', i,
      (10 - (38 + 3 * (i / 100) + i / 10 % 10 + 3 * (i % 10)) % 10) % 10)`,
    status: `CASE i % 2 WHEN 0 THEN status ELSE 'planning' END`,
    page_count: '80 + i * 13 % 900',
    book_key: 'book_key || i',
    created: `strftime('%Y-%m-%d %H:%M:%fZ', created, '-' || i || ' minutes')`,
  })
  copy('activities', entries, {
    id,
    book: `''`,
    created: `strftime('%Y-%m-%d %H:%M:%fZ', created, '-' || i || ' hours')`,
  })
  db.exec(`UPDATE bookshelves SET book_count = ${books} WHERE id = '${shelf}'`)
  db.close()
}

/** Of a shape that no place for pictures has. */
const picture = await sharp({ create: { width: 40, height: 400, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

/** @returns lets the pictures arrive, and waits for those in sight */
async function holdPictures(page: Page): Promise<() => Promise<void>> {
  const late = Promise.withResolvers<void>()
  const pictures = /\/(?:covers|api\/files)\//
  await page.route(pictures, async (route) => {
    await late.promise
    await route.fulfill({ contentType: 'image/png', body: picture })
  })
  const missing = () =>
    [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return !image.complete && bottom > 0 && top < innerHeight
    }).length
  return async () => {
    late.resolve()
    await expect.poll(() => page.evaluate(missing)).toBe(0)
    await page.unroute(pictures)
  }
}

interface Library {
  home: string
  shelf: string
}

const jar: CookieJar = {}
let library: Promise<Library> | undefined

/** A reader with many books on one shelf, among many readers: the same for all tests. */
const openLibrary = () => (library ??= makeLibrary())

async function makeLibrary(): Promise<Library> {
  for (let n = 0; n < others; n++) await newAccount(`reader-${n}@example.org`)
  const reader = await openReader({ octavo, post }, 'returner')
  const shelf = await reader.shelve('Everything')
  const images = ['https://covers.openlibrary.org/b/id/1-L.jpg']
  await reader.add(shelf, 'Volume 000', { isbn: '9780141439518', page_count: 200, images })
  const background = { name: '1.png', mimeType: 'image/png', buffer: picture }
  await reader.context.request.patch(`/api/collections/users/records/${reader.id}`, {
    headers: { 'X-Session': 'cookie', Origin: octavo.url },
    multipart: { background },
  })
  multiply(shelf)
  jar.state = await reader.context.storageState()
  return { home: reader.home, shelf }
}

/** Pixels from the window's top to each item of a list that is whole in it. */
function itemsInSight(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('main [data-place]')].flatMap((item) => {
        const { top, bottom } = item.getBoundingClientRect()
        return top >= 8 && bottom <= innerHeight - 8
          ? [[item.dataset['place'], Math.round(top)]]
          : []
      }),
    ),
  )
}

/** The same of all items in the page. */
function itemsInPage(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('main [data-place]')].map((item) => [
        item.dataset['place'],
        Math.round(item.getBoundingClientRect().top),
      ]),
    ),
  )
}

/** Scrolls as a reader does. */
async function scrollTo(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(200, 400)
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 400)
        return page.evaluate(() => scrollY)
      },
      { timeout: 20_000, interval: 30 },
    )
    .toBeGreaterThanOrEqual(pixels)
  await atRest(page)
}

/** @returns what is in sight once the page is at rest */
async function atRest(page: Page): Promise<Record<string, number>> {
  let last = ''
  await expect
    .poll(async () => {
      const before = last
      last = JSON.stringify(await itemsInSight(page))
      return last === before && last !== '{}'
    })
    .toBe(true)
  return itemsInSight(page)
}

/** The last item in the window's upper half, once one has come there. */
async function lastItem(page: Page): Promise<Locator> {
  const lastIn = (items: Record<string, number>) =>
    Object.entries(items)
      .filter(([, top]) => top > 80 && top < 450)
      .at(-1)?.[0]
  let item: string | undefined
  await expect.poll(async () => (item = lastIn(await itemsInSight(page)))).toBeDefined()
  return page.locator(`main [data-place="${item}"]`)
}

/** Follows a link. @returns what was in sight when it was pressed */
async function follow(page: Page, link: Locator, target = link): Promise<Record<string, number>> {
  await untilHydrated(link)
  // On a card, the link's target is the cover.
  const place = target === link ? {} : { position: { x: 20, y: 30 } }
  // As far as it has to be scrolled, it is now.
  await target.hover(place)
  const before = await atRest(page)
  const address = page.url()
  await target.click(place)
  await expect.poll(() => page.url()).not.toBe(address)
  await untilGone(page, before)
  return before
}

async function untilGone(page: Page, items: Record<string, number>): Promise<void> {
  await expect.poll(() => shiftFrom(page, items)).toBe(gone)
  await page.locator('main h1').waitFor()
}

/** The shift of an item that isn't in sight. */
const gone = 9999

/** A link that stays in the window. */
const fixedLink = (page: Page) =>
  page
    .getByRole('navigation', { name: /^(Library Shortcuts|Quick access)$/ })
    .filter({ visible: true })
    .getByRole('link', { name: /^(Shelves|Profile)$/ })
    .first()

/** The furthest that an item is from where it was, in pixels. */
async function shiftFrom(page: Page, before: Record<string, number>): Promise<number> {
  const now = await itemsInPage(page)
  const shifts = Object.entries(before).map(([item, top]) =>
    item in now ? Math.abs(now[item]! - top) : gone,
  )
  return Math.max(...shifts)
}

async function expectSameItems(page: Page, before: Record<string, number>, after: string) {
  await expect
    .poll(() => shiftFrom(page, before), { message: after, timeout: 15_000 })
    .toBeLessThan(4)
}

interface Screen {
  name: string
  path: (library: Library) => string
  view?: 'grid' | 'list' | 'spines'
  /** Pixels to scroll by. */
  depth: number
}

/** The reader in a new window. */
async function openWindow(view: Screen['view'] = 'grid', options: object = {}) {
  const library = await openLibrary()
  const { context, page, allow } = await openVisitor(octavo.url, { ...options, jar })
  await context.addCookies(
    ['books-view', 'shelf-view'].map((name) => ({ name, value: view, url: octavo.url })),
  )
  return { ...library, page, allow }
}

/** So deep that a reload leaves out pages of spines, by whose widths those in sight fill their rows. */
const spinesDepth = 3000

const screens: Screen[] = [
  ...(['grid', 'list', 'spines'] as const).flatMap((view): Screen[] => {
    const depth = view === 'spines' ? spinesDepth : 1500
    return [
      { name: `My Books, ${view}`, path: ({ home }) => `${home}/books`, view, depth },
      { name: `a shelf, ${view}`, path: ({ shelf }) => `/shelf/${shelf}`, view, depth },
    ]
  }),
  { name: 'the wishlist', path: ({ home }) => `${home}/wishlist`, depth: 1300 },
  { name: 'search', path: () => '/explore?q=the', depth: 1500 },
  { name: 'the directory', path: () => '/users?sort=a-z', depth: 1300 },
  { name: 'the timeline', path: ({ home }) => home, depth: 3000 },
]

describe.each([
  ['desktop', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const)('on a %s', (_, options) => {
  it.each(screens)('$name shows the same items again', async ({ path, view, depth }) => {
    const { page, ...library } = await openWindow(view, options)
    await page.goto('/terms')
    await page.goto(path(library))
    await scrollTo(page, depth)
    // A spine opens the editor, not a page.
    const item = await lastItem(page)
    const before = await (view === 'spines'
      ? follow(page, fixedLink(page))
      : follow(page, item.getByRole('link').first(), item))
    const elsewhere = page.url()
    await page.goBack()
    await expectSameItems(page, before, 'Back')
    await page.goForward()
    await untilGone(page, before)
    expect(page.url()).toBe(elsewhere)
    await page.goBack()
    await expectSameItems(page, before, 'Back again')
    await page.reload()
    await expectSameItems(page, before, 'reload')
    await page.goBack()
    await untilGone(page, before)
    await page.goForward()
    await expectSameItems(page, before, 'Forward')
    const arrive = await holdPictures(page)
    await page.reload({ waitUntil: 'commit' })
    await expectSameItems(page, before, 'reload without pictures')
    // Whatever the reader does, the place is no longer held.
    await page.keyboard.press('Insert')
    await arrive()
    await expectSameItems(page, before, 'late pictures')
  })
})

it.each(screens.filter(({ view }) => view !== 'spines'))(
  'Back by keyboard to $name stands on the link that was pressed',
  async ({ path, view, depth }) => {
    const { page, ...library } = await openWindow(view)
    await page.goto(path(library))
    await scrollTo(page, depth)
    const link = (await lastItem(page)).getByRole('link').first()
    await untilHydrated(link)
    await link.focus()
    const before = await atRest(page)
    await page.keyboard.press('Enter')
    await untilGone(page, before)
    await page.goBack()
    await expectSameItems(page, before, 'Back')
    await expect.poll(() => link.evaluate((node) => node === document.activeElement)).toBe(true)
  },
)

it('keys that go back again at once leave the place of a list that is still on its way', async () => {
  const { page, home } = await openWindow('list')
  await page.goto('/terms')
  await page.goto(`${home}/books`)
  await scrollTo(page, 1500)
  const item = await lastItem(page)
  const before = await follow(page, item.getByRole('link').first(), item)
  // What was fetched before is forgotten.
  await page.reload()
  const late = Promise.withResolvers<void>()
  await page.route('**/user_books/records?**', async (route) => {
    await late.promise
    await route.fallback()
  })
  await page.keyboard.down('Alt')
  await page.goBack()
  await page.waitForURL('**/books')
  await page.locator('main h1').filter({ hasNotText: 'Volume' }).waitFor()
  // Held, it is told again and again.
  await page.keyboard.down('Alt')
  await page.keyboard.press('ArrowLeft')
  await page.goBack()
  await page.waitForURL('**/terms')
  late.resolve()
  await page.goForward()
  await expect.poll(() => shiftFrom(page, before), { timeout: 15_000 }).toBeLessThan(4)
})

/** Answers with two pages of reviews, as of a book that many readers know. */
async function manyReviews(page: Page): Promise<void> {
  await page.route(/\/readers\?/, (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
    const reviews = Array.from({ length: 10 }, (_, n): Review => {
      const id = `reader${at}${String(n).padStart(8, '0')}`
      return {
        reader: { id, username: `reader-${n}`, name: '', avatar: '' },
        user_book: id,
        rating: 8,
        review: `Review ${n} of page ${at}.`,
        spoilers: false,
        finished: '',
      }
    })
    const readers: BookReaders = {
      average: null,
      ratings: 0,
      distribution: [],
      readers: 20,
      reviews,
      page: at,
      hasMore: at < 2,
    }
    return route.fulfill({ json: { data: readers } })
  })
}

it('Back to a book shows the reviews that were loaded on', async () => {
  const { page } = await openWindow('grid', { viewport: { width: 390, height: 844 } })
  await page.goto('/explore?q=emma')
  await manyReviews(page)
  const found = page.getByRole('main').getByRole('article').getByRole('link').first()
  await untilHydrated(found)
  await found.click()
  await page.getByRole('button', { name: 'More reviews' }).click()
  const last = page.getByText('Review 8 of page 2.')
  await last.waitFor()
  await last.scrollIntoViewIfNeeded()
  const before = await follow(page, fixedLink(page))
  await page.goBack()
  await expectSameItems(page, before, 'Back')
  expect(await last.count()).toBe(1)
})

it('goes from book to book and back without a word in the console', async () => {
  const { page, allow } = await openWindow()
  // Where the way back begins before the way there has been drawn.
  allow(/^AbortError: Transition was skipped/)
  await page.goto('/book/pride-and-prejudice-9780141439518')
  const other = page.getByRole('list', { name: 'More like this' }).getByRole('link').first()
  await untilHydrated(other)
  await other.click()
  await page.waitForURL((url) => !url.pathname.includes('pride-and-prejudice'))
  await page.goBack()
  await page.getByRole('heading', { name: 'Pride and Prejudice', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toContain('pride-and-prejudice')
})

it('a book that has moved since takes nothing else along', async () => {
  const { page, home } = await openWindow('list')
  await page.goto(`${home}/books?sort=title`)
  await scrollTo(page, 1200)
  const item = await lastItem(page)
  const book = await item.getAttribute('data-place')
  const before = await follow(page, item.getByRole('link').first(), item)
  const answer = await page.request.patch(`/api/collections/user_books/records/${book}`, {
    headers: { 'X-Session': 'cookie', Origin: octavo.url },
    data: { title: 'Zzz' },
  })
  expect(answer.ok()).toBe(true)
  await page.goBack()
  // Those below it go up by one.
  const tops = Object.entries(before).filter(([, top]) => top < before[book ?? '']!)
  await expect.poll(async () => Object.keys(await itemsInPage(page))).not.toContain(book)
  await expectSameItems(page, Object.fromEntries(tops), 'Back')
})

it('a reader who scrolls on the way back stays where they are', async () => {
  const { page, home } = await openWindow()
  await page.goto(`${home}/books`)
  await scrollTo(page, 1200)
  const link = fixedLink(page)
  const before = await follow(page, link)
  await page.goBack()
  await expectSameItems(page, before, 'Back')
  await page.mouse.move(200, 400)
  await page.mouse.wheel(0, -500)
  await expect.poll(() => shiftFrom(page, before)).toBeGreaterThan(300)
  await expectSameItems(page, await atRest(page), 'at rest')
  // A fresh visit begins at the top.
  await follow(page, link)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})
