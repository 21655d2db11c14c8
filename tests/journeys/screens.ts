import type { BrowserContext, Page } from 'playwright-core'
import type { Reader } from '#tests/reader.ts'
import { screenRoutes } from '#tests/screen-routes.ts'

/** What the screens of one reader show. */
export interface Library {
  /** The path of their profile. */
  home: string
  /** Ids. */
  shelf: string
  record: string
  imported: string
}

export interface Screen {
  path: (library: Library) => string
  route: string
  /** Left out: a visitor and a reader, who may be an administrator. */
  only?: 'visitor' | 'reader' | 'administrator'
  status?: number
  /** Whether a button there ends the session. */
  signsOut?: true | undefined
}

export const classic = '/book/pride-and-prejudice-9780141439518'
/** The title of a book that is being read. */
export const reading = '雪国'
/** Finds no book. */
export const nothing = 'qqzzxx'
/** Authors whose books the screens below show. */
export const shownAuthors = [
  'Jane Austen',
  'Margaret Mitchell',
  'Suzanne Collins',
  'Yasunari Kawabata',
]

/**
 * Gives a reader something for every screen. Nothing in it has Latin letters.
 *
 * @returns the library, without an import
 */
export async function fillLibrary(reader: Reader): Promise<Library> {
  const shelf = await reader.shelve('冬の本棚')
  await reader.shelve('夏の本棚', 'private')
  const add = (title: string, status: string, more = {}) =>
    reader.add(shelf, title, { page_count: 300, status, ...more })
  await add('ノルウェイの森', 'paused')
  await add('こころ', 'dropped')
  await add('門', 'planning')
  await add('三四郎', 'planning', { isbn: '9780141439587' })
  const about = { rating: 9, tags: ['名作'], review: '良い', notes: '再読', format: 'audio' }
  await add('砂の女', 'completed', { progress: 300, ...about })
  const record = await add('傲慢と偏見', 'completed', { review: '真実', rating: 8 })
  const begun = await add(reading, 'reading', { isbn: '9780141439518' })
  await reader.call('PATCH', `user_books/records/${begun}`, { progress: 57 })
  const user = { user: reader.id, book_key: '9780141439518' }
  await reader.call('POST', 'quotes/records', {
    ...user,
    text: '国境の長い',
    page: 1,
    note: '冒頭',
  })
  const before = { started: '2009', finished: '2009-05', outcome: 'finished', pages: 300 }
  await reader.call('POST', 'readings/records', { ...user, ...before })
  const gone = await add('坊っちゃん', 'planning')
  await reader.call('DELETE', `user_books/records/${gone}`)
  return { home: reader.home, shelf, record, imported: '' }
}

const token = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }))}.x`
const visitor = { only: 'visitor' } as const
const reader = { only: 'reader' } as const
const admin = { route: 'admin/:section?' } as const
const series = 'series/:seriesId/:name?'

/** @param route unless it is the path */
function screen(
  path: string,
  { route = path.replace(/\?.*/, ''), ...more }: Partial<Omit<Screen, 'path'>> = {},
): Screen {
  return { path: () => `/${path}`, route, ...more }
}

const ofReader = (tab: string, search = '', more: Partial<Screen> = {}): Screen => ({
  path: ({ home }) => home + tab + search,
  route: `u/:username${tab}`,
  ...more,
})

/** Every screen of the product; the first of a route is what it mostly looks like. */
export const screens: readonly Screen[] = [
  screen(''),
  screen('login', visitor),
  screen('signup', visitor),
  screen('auth/google?state=x', visitor),
  screen('auth/oidc?state=x', visitor),
  screen('auth/oidc2?state=x', visitor),
  screen('auth/oidc3?state=x', visitor),
  screen('users'),
  screen('users?sort=similar', reader),
  screen('welcome', reader),
  screen('menu', { signsOut: true }),
  screen('pricing'),
  screen('contact'),
  screen('privacy'),
  screen('terms'),
  screen(classic.slice(1), { route: 'book/:slug' }),
  screen('book/sense-and-sensibility-9780192804785', { route: 'book/:slug' }),
  screen('series/the-hunger-games/the-hunger-games', { route: series }),
  screen('author/suzanne-collins/suzanne-collins', { route: 'author/:authorId/:name?' }),
  screen('series/nothing', { route: series, ...visitor, status: 404 }),
  screen('book/nobody-9788886451740', { route: 'book/:slug', ...visitor, status: 404 }),
  screen('account', reader),
  screen('account/settings', reader),
  screen('account/removed', reader),
  screen('account/connections', reader),
  screen('account/imports', reader),
  {
    path: ({ imported }) => `/account/imports/${imported}`,
    route: 'account/imports/:importId',
    ...reader,
  },
  screen('account/edit', reader),
  screen('admin', { ...admin, only: 'visitor', status: 404 }),
  ...['', '/invitations', '/reports', '/jobs', '/health', '/log'].map((section) =>
    screen(`admin${section}`, { ...admin, only: 'administrator' }),
  ),
  screen('auth/forgot-password', visitor),
  ...['auth/reset-password', 'auth/confirm-verification', 'auth/confirm-email-change'].flatMap(
    (path) => [screen(`${path}?token=${token}`, visitor), screen(path, visitor)],
  ),
  screen('nothing-here', { route: '*', status: 404 }),
  screen('explore'),
  screen('explore?q=sense&genre=Classics'),
  screen(`explore?q=${nothing}`),
  screen('explore?q=2'),
  { path: ({ shelf }) => `/shelf/${shelf}`, route: 'shelf/:shelfId' },
  ...['u', 'u/books', 'u/shelves', 'u/wishlist'].map((path): Screen => ({
    path: ({ home }) => `/${path}?username=${home.slice('/u/'.length)}`,
    route: path,
    ...visitor,
  })),
  ...['', '/books', '/shelves', '/wishlist', '/diary', '/stats', '/tags'].map((tab) =>
    ofReader(tab),
  ),
  ...['/year', '/2026', '/2026-01'].map((tab) =>
    ofReader(tab, '', { route: 'u/:username/:period' }),
  ),
  ofReader('/books', '?find=無', reader),
  ofReader('/books', '?group=series', reader),
  { path: ({ home, record }) => `${home}/books/${record}`, route: 'u/:username/books/:bookId' },
  {
    path: ({ home, record }) => `${home}/books/${record}/finished`,
    route: 'u/:username/books/:bookId/finished',
    ...reader,
  },
  screen('u/1234', { route: 'u/:username', ...visitor, status: 404 }),
]

/** @returns the routes without a screen above, and those that are there no more */
export function misplacedRoutes(): string[] {
  const [known, present] = [new Set(screens.map(({ route }) => route)), new Set(screenRoutes())]
  return [...known.symmetricDifference(present)]
}

/** Takes all there are, on three pages at once: most of the time each waits for what it fetches. */
export async function each<T>(
  context: BrowserContext,
  all: readonly T[],
  visit: (page: Page, one: T) => Promise<void>,
): Promise<void> {
  const queue = all.values()
  async function walk(): Promise<void> {
    const page = await context.newPage()
    for (const one of queue) await visit(page, one)
    await page.close()
  }
  await Promise.all([walk(), walk(), walk()])
}
