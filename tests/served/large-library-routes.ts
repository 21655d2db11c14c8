import { schema } from '#server/collections/schema.ts'
import { bookId, journalBook, large, largeShelf, readingId, titleOf } from '#tests/large-library.ts'
import { pathsOf, screenRoutes } from '#tests/screen-routes.ts'

/** Paths to request, or why a route isn't requested here. */
type Requested = readonly string[] | 'a write' | 'no library'

const name = 'large'
const { books, readings, shelves, sharedTags } = large

/** The first, the 30th and the last page of a list, and one far behind. */
const pages = (rows: number, perPage: number) => {
  const last = Math.ceil(rows / perPage)
  return [1, 30, last, 100_000].map((page) => `page=${page}&perPage=${perPage}`)
}
const withPages = (path: string, rows: number, perPage: number) =>
  pages(rows, perPage).map((page) => `${path}?${page}`)

const of = (path: string) => `/api/v1/users/${name}${path}`

/** The product's own operations, as its OpenAPI document names them. */
const operations: Record<string, Requested> = {
  'get /users': ['', '?sort=a-z', '?sort=similar', '?q=large', '?page=30'].map(
    (query) => `/api/v1/users${query}`,
  ),
  'get /users/{username}/shelves': withPages(of('/shelves'), shelves, 10),
  'get /users/{username}/tags': [200, 1000].flatMap((perPage) =>
    withPages(of('/tags'), books + sharedTags, perPage),
  ),
  'get /users/{username}/diary': [
    ...withPages(of('/diary'), readings, 60),
    ...['period&key=2012', 'genre&key=Fiction', 'author&key=nobody', 'format&tag=tag%207'].map(
      (bar) => of(`/diary?by=${bar}`),
    ),
  ],
  'get /users/{username}/months': [of('/months')],
  'get /users/{username}/goals': [of('/goals')],
  'get /users/{username}/stats': [
    '',
    '?year=2012',
    '?year=1999',
    '?format=audio',
    '?genre=Fiction',
    '?tag=tag%207',
    `?shelf=${largeShelf}&year=2012`,
  ].map((query) => of(`/stats${query}`)),
  'get /users/{username}/year/{file}': [
    of('/year/2012.png'),
    of('/year/2012-03.png'),
    of('/year/2012.png?size=tall'),
  ],
  'get /usernames/{username}': [`/api/v1/usernames/${name}`],
  'get /library/series/{id}': ['/api/v1/library/series/discworld'],
  'get /library/because-liked': ['/api/v1/library/because-liked'],
  'get /library/next-in-series': ['/api/v1/library/next-in-series'],
  'get /library/series': ['/api/v1/library/series', '/api/v1/library/series?page=50'],
  'get /library/search': ['volume', 'volume%2012345', 'some%20words', 'qqq%20zzz'].flatMap((q) =>
    ['', '&titles=false'].map((more) => `/api/v1/library/search?q=${q}${more}`),
  ),
  'get /me/now': ['/api/v1/me/now'],
  'get /library/statuses': ['/api/v1/library/statuses'],
  'get /library/removed': ['/api/v1/library/removed'],
  'get /account/export': ['/api/v1/account/export'],
  'get /account/export.csv': ['/api/v1/account/export.csv'],
  'get /account/completion': ['/api/v1/account/completion'],
  'get /explore': ['/api/v1/explore'],
  'get /sample': ['/api/v1/sample'],
  'get /book-info/suggest': ['/api/v1/book-info/suggest?q=volume'],
  'get /book-info/search': ['/api/v1/book-info/search?q=volume'],
  'get /book-info/described': 'no library',
  'get /series/{id}': 'no library',
  'get /authors/{id}': 'no library',
  'get /book-info/{id}/similar': 'no library',
  'get /book-info/{id}/editions': 'no library',
  // A reader has a book once, whatever the size of the library.
  'get /book-info/{id}/readers': 'no library',
  'get /book-info/{id}': 'no library',
  'get /book-info/isbn/{isbn}': 'no library',
  'get /book-info/isbn/{isbn}/record': 'no library',
  'get /book-info/offers': 'no library',
  'get /book-info/sources': 'no library',
  'get /subscriptions/return': 'no library',
  // To others than administrators they are not there.
  'get /admin/readers': 'no library',
  'get /admin/invitations': 'no library',
  'get /admin/reports': 'no library',
  'get /admin/jobs': 'no library',
  'get /admin/site': 'no library',
  'get /admin/checks': 'no library',
  'get /admin/log': 'no library',
  'get /admin/confirmation': 'no library',
  'post /admin/confirmation': 'a write',
  'post /admin/readers/{username}/reset-link': 'a write',
  'post /admin/readers/{username}/sign-out': 'a write',
  'post /admin/readers/{username}/hide': 'a write',
  'post /admin/readers/{username}/unhide': 'a write',
  'delete /admin/readers/{username}': 'a write',
  'post /admin/reports/{id}/close': 'a write',
  'post /admin/invitations': 'a write',
  'delete /admin/invitations/{id}': 'a write',
  'post /admin/test-mail': 'a write',
  'post /users/{username}/reports': 'a write',
  'post /library/restore': 'a write',
  'post /library/order': 'a write',
  'delete /library/removed/{collection}/{id}': 'a write',
  'delete /library/removed': 'a write',
  'post /subscriptions/create': 'a write',
  'post /subscriptions/billing': 'a write',
  'post /stripe/webhook': 'a write',
  'post /account/reset': 'a write',
  'post /account/completion': 'a write',
  'post /auth/logout': 'a write',
  'post /auth/mail': 'a write',
}

const records = (collection: string) => `/api/collections/${collection}/records`

/** Rows of the collections that have many. */
const rows: Readonly<Record<string, number>> = {
  bookshelves: shelves,
  user_books: books,
  quotes: books,
  readings,
  progress_log: readings,
  activities: readings,
}

/** The lists of all collections, and those that screens request. */
const lists = [
  ...schema.collections
    .filter(({ rules }) => rules.list !== null)
    .flatMap(({ name: collection }) => withPages(records(collection), rows[collection] ?? 1, 30)),
  ...Object.entries({
    user_books: ['-rating', 'title', '-created', '-updated'],
    readings: ['-created', '-finished'],
    quotes: ['-created'],
    activities: ['-created'],
    bookshelves: ['-created', 'name'],
  }).flatMap(([collection, sorts]) =>
    sorts.map((sort) => `${records(collection)}?sort=${sort}&filter=(user='OWNER')`),
  ),
  `${records('readings')}?filter=(user='OWNER'%26%26book_key='volume 7|ann author')`,
  `${records('user_books')}?filter=(user='OWNER'%26%26tags~'"tag 7"')`,
  `${records('user_books')}?filter=(user='OWNER'%26%26title~'${titleOf(12_345)}')`,
  `${records('user_books')}?filter=(shelf='${largeShelf}')&sort=title&perPage=1000`,
]

/** The record service's routes that read. */
const reads: Record<string, Requested> = {
  '/api/collections/:collection/records': lists,
  '/api/collections/:collection/records/:id': [
    `${records('bookshelves')}/${largeShelf}?expand=user`,
    `${records('user_books')}/${bookId(7)}?expand=user,shelf`,
    `${records('readings')}/${readingId(7)}`,
    `${records('profile')}/OWNER`,
  ],
  '/api/collections/:collection/sessions': [`/api/collections/users/sessions`],
  '/api/collections/:collection/passkeys': [`/api/collections/users/passkeys`],
  '/api/collections/:collection/providers': [`/api/collections/users/providers`],
  '/api/collections/:collection/auth-methods': 'no library',
  '/api/files/:collection/:id/:name': 'no library',
  '/api/health': 'no library',
  '/api/realtime': 'no library',
  '/api/oauth2-redirect': 'no library',
  '/api/oauth2-redirect/success': 'no library',
  '/api/oauth2-redirect/failure': 'no library',
}

/** What the parameters of screens stand for. */
const parameters = {
  slug: ['nothing'],
  shelfId: [largeShelf],
  bookId: [bookId(journalBook), bookId(8)],
  username: [name],
  section: ['log'],
  importId: ['aaaaaaaaaaaaaaa'],
  seriesId: ['harry-potter'],
  authorId: ['j-k-rowling'],
  name: ['any'],
  period: ['2012'],
  '*': ['nothing/here'],
}

const others = [
  '/lite',
  '/lite/want',
  '/lite/search?q=novel',
  `/previews/reader/${name}.jpg`,
  `/u/${name}/feed.atom`,
  `/u/${name}/calendar.ics`,
  `/shelf/${largeShelf}/feed.atom`,
  '/api/docs',
  '/api/docs/openapi.json',
  '/sitemap.xml',
  '/robots.txt',
]

/**
 * @param present all operations of `/api/v1` as `get /path`, and the paths of the record service's
 *   routes that read
 * @param owner id of the reader with the library
 * @returns the paths to request
 * @throws Error if a table above lacks a route, or has one that no longer exists
 */
export function pathsToMeasure(
  present: { operations: readonly string[]; reads: readonly string[] },
  owner: string,
): string[] {
  const measured = [
    ...everyRoute(operations, present.operations),
    ...everyRoute(reads, present.reads),
    // Screens show the first page; a browser reads the next ones from the API.
    ...screenRoutes().flatMap((route) => pathsOf(route, parameters)),
    ...others,
  ]
  return measured.map((path) =>
    path.replaceAll('OWNER', owner).replaceAll("'", '%27').replaceAll('"', '%22'),
  )
}

function everyRoute(table: Record<string, Requested>, present: readonly string[]): string[] {
  const [listed, there] = [new Set(Object.keys(table)), new Set(present)]
  const [missing, gone] = [there.difference(listed), listed.difference(there)]
  if (missing.size || gone.size)
    throw new Error(`not measured: ${[...missing].join()}; gone: ${[...gone].join()}`)
  return Object.values(table).flatMap((paths) => (typeof paths === 'string' ? [] : paths))
}
