/** What a stranger may ask of everything but the records: the product's own calls, pages, pictures. */

import { trashCollections } from '#server/library/trash.ts'
import { tools } from '#server/mcp/tools.ts'
import { pathsOf, screenRoutes } from '#tests/screen-routes.ts'
import type { CrawlRequest } from './send.ts'
import type { Twins } from './twins.ts'

const missing = 'aaaaaaaaaaaaaaa'
const nobody = 'nobody-at-all'

/** A book of the catalogue. */
export interface Book {
  id: string
  slug: string
}

/** What to call each operation with. One that is not here, or is no more, fails the crawl. */
function operations(twins: Twins, books: readonly Book[]): Record<string, CrawlRequest[]> {
  const { hidden, readers } = twins
  const names = [readers.owner.username, ...hidden.usernames, nobody]
  const trash = [...hidden.removals, ...Object.values(hidden.ids).flat().slice(0, 20), missing]
  const at = (path: string): CrawlRequest => ({ path: `/api/v1${path}` })
  const post = (path: string, body: object = {}): CrawlRequest => ({
    method: 'POST',
    ...at(path),
    body,
  })
  const forBooks = (rest: string) =>
    [...books.map(({ id }) => id), missing].map((id) => at(`/book-info/${id}${rest}`))
  const isbns = [...hidden.isbns, '9780141439518']
  const words = ['canary', 'canary-1', 'Emma', 'pride and prejudice']
  return {
    'get /users': [
      ...['', 'sort=a-z', 'sort=similar', 'page=2', 'q=canary', 'q=seen'].map((q) =>
        at(`/users?${q}`),
      ),
      ...names.map((name) => at(`/users?q=${name}`)),
    ],
    'get /users/{username}/shelves': names.flatMap((name) => [
      at(`/users/${name}/shelves`),
      at(`/users/${name.toUpperCase()}/shelves?page=2`),
    ]),
    'get /users/{username}/tags': names.map((name) => at(`/users/${name}/tags`)),
    'get /users/{username}/diary': names.flatMap((name) => [
      at(`/users/${name}/diary`),
      at(`/users/${name.toUpperCase()}/diary?page=2`),
      at(`/users/${name}/diary?by=rating&key=unknown`),
    ]),
    'get /users/{username}/months': names.map((name) => at(`/users/${name}/months`)),
    'get /users/{username}/goals': names.map((name) => at(`/users/${name}/goals`)),
    'get /users/{username}/stats': names.flatMap((name) => [
      at(`/users/${name}/stats`),
      at(`/users/${name.toUpperCase()}/stats?year=2024`),
      at(`/users/${name}/stats?tag=canary`),
      ...hidden.ids['bookshelves']!.slice(0, 2).map((id) => at(`/users/${name}/stats?shelf=${id}`)),
    ]),
    'get /users/{username}/year/{file}': names.flatMap((name) => [
      at(`/users/${name}/year/2024.png`),
      at(`/users/${name.toUpperCase()}/year/2009-05.png?size=tall`),
    ]),
    'get /usernames/{username}': names.map((name) => at(`/usernames/${name}`)),
    'post /users/{username}/reports': names.map((name) =>
      post(`/users/${name}/reports`, { reason: 'spam' }),
    ),
    'get /library/series/{id}': [at('/library/series/harry-potter')],
    'get /library/because-liked': [at('/library/because-liked')],
    'get /library/next-in-series': [at('/library/next-in-series')],
    'get /library/series': ['', '?page=2'].map((page) => at(`/library/series${page}`)),
    'get /library/search': words.flatMap((q) =>
      ['', '&titles=false'].map((more) => at(`/library/search?q=${q}${more}`)),
    ),
    'get /me/now': [at('/me/now')],
    'get /library/statuses': [at('/library/statuses')],
    'get /library/removed': [at('/library/removed')],
    'post /library/restore': trash.flatMap((id) =>
      trashCollections.map((collection) => post('/library/restore', { collection, ids: [id] })),
    ),
    'post /library/order': [...(hidden.ids['user_books'] ?? []), missing].map((book) =>
      post('/library/order', { list: 'shelf', book, after: '' }),
    ),
    'delete /library/removed/{collection}/{id}': trash.map((id) => ({
      method: 'DELETE',
      ...at(`/library/removed/user_books/${id}`),
    })),
    'delete /library/removed': [{ method: 'DELETE', ...at('/library/removed') }],
    'get /book-info/suggest': words.map((q) => at(`/book-info/suggest?q=${q}`)),
    'get /book-info/search': words.map((q) => at(`/book-info/search?q=${q}`)),
    'get /book-info/described': [at('/book-info/described?q=canary')],
    'get /series/{id}': [at('/series/harry-potter'), at('/series/canary')],
    'get /authors/{id}': [at('/authors/jane-austen'), at('/authors/canary?page=2')],
    'get /book-info/{id}/similar': forBooks('/similar'),
    'get /book-info/{id}/editions': forBooks('/editions'),
    'get /book-info/{id}/readers': [...forBooks('/readers'), ...forBooks('/readers?page=2')],
    'get /book-info/{id}': forBooks(''),
    'get /book-info/isbn/{isbn}': isbns.map((isbn) => at(`/book-info/isbn/${isbn}`)),
    'get /book-info/isbn/{isbn}/record': isbns.map((isbn) => at(`/book-info/isbn/${isbn}/record`)),
    'get /book-info/offers': isbns.map((isbn) => at(`/book-info/offers?isbn=${isbn}`)),
    'get /book-info/sources': isbns.map((isbn) => at(`/book-info/sources?isbn=${isbn}`)),
    'get /explore': [at('/explore'), at('/explore?limit=3')],
    'get /sample': [at('/sample')],
    'post /auth/mail': [...hidden.signIns, missing].map((mfaId) => post('/auth/mail', { mfaId })),
    'get /account/export': [
      at('/account/export'),
      // What a reader gets says when it was made, which no comparison can leave out.
      { ...at('/account/export?format=zip'), isForVisitors: true },
    ],
    'get /account/export.csv': [at('/account/export.csv')],
    'get /account/completion': [at('/account/completion')],
    'post /account/completion': [post('/account/completion')],
    'post /subscriptions/create': [post('/subscriptions/create', { product_name: 'monthly' })],
    'post /subscriptions/billing': [post('/subscriptions/billing')],
    'get /subscriptions/return': [at('/subscriptions/return')],
    'post /stripe/webhook': [post('/stripe/webhook', { customer: 'canary' })],
    'get /admin/readers': ['', '?q=canary', '?sort=name&page=2'].map((q) =>
      at(`/admin/readers${q}`),
    ),
    'get /admin/invitations': [at('/admin/invitations')],
    'get /admin/reports': [at('/admin/reports')],
    'get /admin/jobs': [at('/admin/jobs')],
    'get /admin/site': [at('/admin/site')],
    'get /admin/checks': [at('/admin/checks')],
    'get /admin/log': [at('/admin/log')],
    'get /admin/confirmation': [at('/admin/confirmation')],
    'post /admin/confirmation': [post('/admin/confirmation', { password: 'not the password' })],
    ...Object.fromEntries(
      ['reset-link', 'sign-out', 'hide', 'unhide'].map((act) => [
        `post /admin/readers/{username}/${act}`,
        names.map((name) => post(`/admin/readers/${name}/${act}`)),
      ]),
    ),
    'delete /admin/readers/{username}': names.map((name) => ({
      method: 'DELETE',
      ...at(`/admin/readers/${name}`),
    })),
    'post /admin/reports/{id}/close': [post(`/admin/reports/${missing}/close`)],
    'post /admin/invitations': [post('/admin/invitations', { days: 3 })],
    'delete /admin/invitations/{id}': [
      { method: 'DELETE', ...at(`/admin/invitations/${missing}`) },
    ],
    'post /admin/test-mail': [post('/admin/test-mail')],
    // As a reader, these would end what others are asked about.
    'post /account/reset': [{ ...post('/account/reset'), isForVisitors: true }],
    'post /auth/logout': [{ ...post('/auth/logout'), isForVisitors: true }],
  }
}

/** @returns the questions to every operation that the API's description names */
export function operationRequests(
  twins: Twins,
  description: { paths: Record<string, object> },
  books: readonly Book[],
): CrawlRequest[] {
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const asked = operations(twins, books)
  const unknown = described.filter((name) => !asked[name])
  const gone = Object.keys(asked).filter((name) => !described.includes(name))
  if (unknown.length || gone.length)
    throw new Error(`no questions to: ${unknown.join()}; no longer there: ${gone.join()}`)
  return Object.values(asked).flat()
}

/** @returns every screen's page and the data it is made of */
export function pageRequests(twins: Twins, books: readonly Book[]): CrawlRequest[] {
  const { hidden, open, readers, unseen } = twins
  const names = [...unseen.map(({ username }) => username), ...hidden.usernames.slice(-1), nobody]
  const values: Record<string, readonly string[]> = {
    seriesId: ['fullmetal-alchemist', 'harry-potter', missing],
    authorId: ['jane-austen', 'canary', missing],
    name: ['canary'],
    slug: [books[0]!.slug, hidden.isbns[0]!, 'canary-1'],
    shelfId: [...open.shelves, ...hidden.ids['bookshelves']!.slice(-4), missing],
    username: [readers.owner.username, ...names],
    section: ['log', 'nothing'],
    importId: [...hidden.ids['imports']!, missing],
    bookId: [...open.books, ...hidden.ids['user_books']!.slice(-4), missing],
    period: ['year', '2030', '2009-05'],
    '*': ['nothing/here'],
  }
  const pages = screenRoutes().flatMap((route) => {
    const paths = pathsOf(route, values)
    // A page is drawn from its data: three of each kind will do.
    const data = paths.map((path) => (path === '/' ? '/_root.data' : `${path}.data`))
    return [...paths.slice(0, 3), ...data]
  })
  const searched = ['/users?q=canary', '/users?sort=similar', '/explore?q=canary']
  const manifests = names.map((name) => `/__manifest?paths=/u/${name}`)
  return [...pages, ...searched, ...manifests]
    .filter((path) => !isByChance(path))
    .map((path) => ({ path }))
}

/** The landing page shows other books of the catalogue each time. */
const isByChance = (path: string) => /^\/(?:\?.*|_root\.data)?$/.test(path)

/** @returns pictures of links, lists for search engines, and what else there is */
export function otherRequests({ hidden, readers }: Twins): CrawlRequest[] {
  const names = [readers.owner.username, ...hidden.usernames, nobody]
  return [
    ...names.map((name) => `/previews/reader/${name}.jpg`),
    ...hidden.isbns.slice(0, 3).map((isbn) => `/previews/book/${isbn}.jpg`),
    '/previews/octavo.jpg',
    ...names.flatMap((name) => [`/u/${name}/feed.atom`, `/u/${name}/calendar.ics`]),
    ...[...hidden.ids['bookshelves']!.slice(-4), missing].map(
      (shelf) => `/shelf/${shelf}/feed.atom`,
    ),
    '/sitemap.xml',
    '/robots.txt',
    '/mailbox',
    '/admin',
    '/admin.data',
    '/lite',
    '/lite/want',
    '/lite/search?q=canary',
    '/lite/nothing',
    '/kosync/healthcheck',
    '/kosync/users/auth',
    '/kosync/syncs/progress/a1',
    '/readwise/api/v2/auth/',
    '/readwise/api/v2/highlights/',
    '/dav/',
    '/dav/statistics.sqlite3',
    '/api/health',
    '/api/oauth2-redirect?state=canary&code=x',
    '/api/v1/openapi.json',
    '/api/docs',
    '/api/docs/openapi.json',
    '/covers/openlibrary/id-7919/350?title=Nothing',
  ].map((path) => ({ path }))
}

/** @returns calls of every tool of `/mcp`, with the ids of what is hidden and of nothing */
export function assistantRequests({ hidden }: Twins): CrawlRequest[] {
  const use = (name: string, given: object): CrawlRequest => ({
    method: 'POST',
    path: '/mcp',
    accept: 'application/json, text/event-stream',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })
  const books = [...hidden.ids['user_books']!.slice(-4), missing]
  const shelves = [...hidden.ids['bookshelves']!.slice(-4), missing]
  const given: Record<string, object[]> = {
    search_books: hidden.isbns.slice(0, 3).map((query) => ({ query })),
    my_books: [{ text: 'canary' }, ...shelves.map((shelf) => ({ shelf }))],
    my_shelves: [{}],
    add_book: shelves.map((shelf) => ({ shelf, title: 'Canary' })),
    set_page: books.map((book) => ({ book, page: 3 })),
    finish_book: books.map((book) => ({ book })),
    rate_book: books.map((book) => ({ book, rating: 3 })),
    statistics: [{}, { year: '2024' }],
    my_quotes: [{ text: 'canary' }, ...books.map((book) => ({ book }))],
    add_quote: books.map((book) => ({ book, text: 'Canary' })),
  }
  return tools.flatMap(({ name }) => given[name]!.map((one) => use(name, one)))
}

/** @returns attempts to sign in to accounts that are there and that are not, and to change them */
export function accountRequests({ hidden, readers }: Twins): CrawlRequest[] {
  const post = (path: string, body: object): CrawlRequest => ({
    method: 'POST',
    path: `/api/collections/users/${path}`,
    body,
  })
  return [
    ...[...hidden.emails, readers.owner.email, 'nobody@example.org'].flatMap((email) => [
      post('auth-with-password', { identity: email, password: 'not the password' }),
      post('request-otp', { email }),
      post('request-password-reset', { email }),
      post('request-verification', { email }),
      post('request-email-change', { newEmail: email }),
    ]),
    ...[...hidden.usernames, nobody].map((identity) =>
      post('auth-with-password', { identity, password: 'not the password' }),
    ),
    ...[...hidden.codes, missing].map((otpId) =>
      post('auth-with-otp', { otpId, mfaId: missing, password: '000000' }),
    ),
    post('request-passkey', { mfaId: missing }),
    { path: '/api/collections/users/auth-methods' },
  ]
}
