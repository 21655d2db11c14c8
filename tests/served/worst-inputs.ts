import { gzipSync } from 'node:zlib'
import { password } from '#tests/reader.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** What a request is made of. Bodies are made before the clock runs. */
export interface RawRequest {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

const users = '/api/collections/users/records'
export const book = { title: 'Big', authors: [], genres: [], status: 'planning' }
export const books = '/api/collections/user_books/records'
const json = { 'Content-Type': 'application/json' }
const filled = (piece: string, bytes: number) => Buffer.alloc(bytes, piece)
const jsonOf = (before: string, piece: string, after: string) => (scale: number) => ({
  headers: json,
  body: before + piece.repeat((scale * (megabyte - 200)) / Buffer.byteLength(piece)) + after,
})
const boundary = '----boundary'
const formOf = (...parts: [head: string, content: string | Buffer][]) => ({
  headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  body: Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]),
})
const upload = 5 * megabyte
const account = { email: 'new@example.org', password, passwordConfirm: password }
const signUp = (avatarBytes: Buffer) =>
  formOf(
    ['name="avatar"; filename="a.svg"', avatarBytes],
    ['name="@jsonPayload"', JSON.stringify(account)],
  )

/** PNG with chunks of nothing before its picture. */
const chunks = (bytes: number) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.alloc(17),
    Buffer.alloc(bytes, Buffer.from('0000000061424344deadbeef', 'hex')),
  ])
const batchOf = (requests: unknown[]) => ({ headers: json, body: JSON.stringify({ requests }) })
const words = (piece: string, bytes: number) => piece.repeat(bytes / piece.length)
export const escaped = (text: string) => encodeURIComponent(text)
const comparisons = (one: string, scale: number) =>
  Array.from({ length: (scale * 3400) / (one.length + 2) }, () => one).join('||')

/** A worst input at half of what it may have, at all of it, and at twice as much. */
type Row = [
  name: string,
  make: (scale: number) => Omit<RawRequest, 'path'> & { path?: string },
  path: string,
  who?: 'reader',
]

export const worstInputs: Row[] = [
  ['JSON of empty lists', jsonOf('{"a":[', '[],', '0]}'), users],
  ['JSON of empty objects', jsonOf('{"a":[', '{},', '0]}'), users],
  [
    'JSON of keys',
    (scale) => ({
      headers: json,
      body: JSON.stringify(
        Object.fromEntries(Array.from({ length: scale * 80_000 }, (_, i) => [`k${i}`, 0])),
      ),
    }),
    users,
  ],
  [
    'JSON within JSON',
    (scale) => ({
      headers: json,
      body: '['.repeat((scale * megabyte) / 2) + ']'.repeat((scale * megabyte) / 2),
    }),
    users,
  ],
  ['JSON of escapes', jsonOf('{"name":"', '\\u00e9', '"}'), users],
  ['JSON of one number', jsonOf('{"name":', '1', '}'), users],
  ['digits for a number', jsonOf('{"page_count":"', '1', 'x"}'), books],
  ['spaces for a list', jsonOf('{"authors":"[', ' ', 'x"}'), books],
  [
    'JSON in a text',
    (scale) => ({
      headers: json,
      body: JSON.stringify({ authors: `[${'[],'.repeat((scale * megabyte) / 3.2)}0]` }),
    }),
    books,
  ],
  [
    'marks for a name',
    (scale) => ({
      headers: json,
      body: JSON.stringify({
        ...account,
        name: `a${'\u0315\u0300'.repeat((scale * megabyte) / 4.2)}`,
      }),
    }),
    users,
  ],
  [
    'capitals for an email',
    (scale) => ({
      headers: json,
      body: JSON.stringify({ ...account, email: `${'A'.repeat(scale * (megabyte - 500))}@x.org` }),
    }),
    users,
  ],
  [
    'a long password',
    (scale) => ({
      headers: json,
      body: JSON.stringify({
        ...account,
        password: 'é'.repeat(scale * (megabyte / 4.2)),
        passwordConfirm: 'é'.repeat(scale * (megabyte / 4.2)),
      }),
    }),
    users,
  ],
  [
    'a form of parts',
    (scale) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: words('a&', scale * megabyte),
    }),
    users,
  ],
  [
    'a form of percent signs',
    (scale) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `a=${words('%41', scale * (megabyte - 10))}`,
    }),
    users,
  ],
  [
    'a form of a repeated name',
    (scale) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: words('a=b&', scale * 4000),
    }),
    users,
  ],
  [
    'multipart of many parts',
    (scale) =>
      formOf(
        ...Array.from({ length: scale * 1000 }, (_, i): [string, string] => [
          `name="a${i}"`,
          'x'.repeat(900),
        ]),
      ),
    users,
  ],
  [
    'multipart of one field',
    (scale) => formOf(['name="name"', words('é', scale * (megabyte / 2.1))]),
    users,
  ],
  [
    'multipart with a long header',
    (scale) => formOf([`name="a"${words('; a=b', scale * upload)}`, 'x']),
    users,
  ],
  [
    'multipart with long headers',
    (scale) =>
      formOf(
        ...Array.from({ length: scale * 30 }, (): [string, string] => [
          `name="${words('%22', 4000)}"`,
          'x',
        ]),
      ),
    users,
  ],
  [
    'multipart without ends of headers',
    (scale) => ({
      headers: formOf().headers,
      body: Buffer.concat([
        Buffer.from(`--${boundary}\r\n`.repeat(999)),
        filled('x', scale * (upload - 20_000)),
      ]),
    }),
    users,
  ],
  [
    'multipart that looks like its end',
    (scale) =>
      formOf([
        'name="avatar"; filename="a"',
        words(`\r\n--${boundary.slice(0, -1)}`, scale * upload),
      ]),
    users,
  ],
  [
    'multipart of a payload',
    (scale) => formOf(['name="@jsonPayload"', `[${'[],'.repeat((scale * megabyte) / 3)}0]`]),
    users,
  ],
  ['an avatar of declarations', (scale) => signUp(filled('<!a>', scale * (upload - 2000))), users],
  ['an avatar of brackets', (scale) => signUp(filled('<!a[>', scale * (upload - 2000))), users],
  ['an avatar of text', (scale) => signUp(filled('é', scale * (upload - 2000))), users],
  [
    'an avatar of zip entries',
    (scale) => signUp(filled('PK\x03\x04', scale * (upload - 2000))),
    users,
  ],
  [
    'an avatar that is a bomb',
    (scale) =>
      signUp(
        gzipSync(Buffer.alloc(64 * megabyte), { level: 1 }).subarray(0, scale * 250 * kilobyte),
      ),
    users,
  ],
  ['an avatar of chunks', (scale) => signUp(chunks(scale * (upload - 2000))), users],
  [
    'a batch of one text',
    (scale) =>
      batchOf([{ method: 'POST', url: users, body: { name: words('é', scale * 2 * megabyte) } }]),
    '/api/batch',
  ],
  [
    'a batch of escapes',
    (scale) => ({
      headers: json,
      body: `{"requests":[{"method":"POST","url":"${users}","body":{"name":"${words('\\u00e9', scale * (4 * megabyte - 300))}"}}]}`,
    }),
    '/api/batch',
  ],
  [
    'a batch of keys',
    (scale) =>
      batchOf(
        Array.from({ length: 50 }, () => ({
          method: 'POST',
          url: books,
          body: Object.fromEntries(
            Array.from({ length: scale * 150 }, (_, i) => [`k${i}`, 'x'.repeat(300)]),
          ),
        })),
      ),
    '/api/batch',
  ],
  [
    'a batch of long addresses',
    (scale) =>
      batchOf(
        Array.from({ length: scale * 50 }, () => ({
          method: 'POST',
          url: `${users}?${words('a&', 1900)}`,
          body: {},
        })),
      ),
    '/api/batch',
  ],
  [
    'a batch of declarations',
    (scale) => {
      const body = formOf(
        [
          'name="@jsonPayload"',
          JSON.stringify({
            requests: [
              { method: 'POST', url: users, body: account },
              { method: 'POST', url: users, body: account },
            ],
          }),
        ],
        ['name="requests.0.avatar"; filename="a"', filled('<!a>', scale * 5.5 * megabyte)],
        ['name="requests.1.avatar"; filename="a"', filled('<!a>', scale * 5.5 * megabyte)],
      )
      return body
    },
    '/api/batch',
  ],
  [
    'a filter of comparisons',
    (scale) => ({
      method: 'GET',
      path: `${books}?filter=${escaped(comparisons('title~"a"', scale))}`,
    }),
    books,
  ],
  [
    'a filter of relations',
    (scale) => ({
      method: 'GET',
      path: `${books}?filter=${escaped(comparisons('shelf.user.user_books_via_user.title~"a"', scale))}`,
    }),
    books,
  ],
  [
    'a filter of parentheses',
    (scale) => ({ method: 'GET', path: `${books}?filter=${escaped(words('(', scale * 3400))}` }),
    books,
  ],
  [
    'a filter of a long text',
    (scale) => ({
      method: 'GET',
      path: `${books}?filter=${escaped(`title~"${words('%_\\\\', scale * 1900)}"`)}`,
    }),
    books,
  ],
  [
    'a sort of relations',
    (scale) => ({
      method: 'GET',
      path: `${books}?sort=${Array.from({ length: scale * 8 }, () => 'shelf.user.settings_via_user.user.name').join(',')}`,
    }),
    books,
  ],
  [
    'expand',
    (scale) => ({
      method: 'GET',
      path: `${books}?expand=${words('shelf.user.bookshelves_via_user.user_books_via_shelf.shelf.user,', scale * 8000)}`,
    }),
    books,
    'reader',
  ],
  [
    'fields',
    (scale) => ({
      method: 'GET',
      path: `${books}?fields=${words('a.b.c.d.e.f.g.h,', scale * 8000)}`,
    }),
    books,
    'reader',
  ],
  [
    'fields of parentheses',
    (scale) => ({ method: 'GET', path: `${books}?fields=${words('a:excerpt((', scale * 8000)}` }),
    books,
  ],
  [
    'fields of stars',
    (scale) => ({ method: 'GET', path: `${books}?fields=${words('*.', scale * 8000)}` }),
    books,
    'reader',
  ],
  [
    'a query of many keys',
    (scale) => ({ method: 'GET', path: `${books}?${words('a&', scale * 8000)}` }),
    books,
  ],
  [
    'an address of percent signs',
    (scale) => ({ method: 'GET', path: `/u/${words('%C3%A9', scale * 8000)}` }),
    '/',
  ],
  [
    'a cookie of sessions',
    (scale) => ({
      method: 'GET',
      headers: { Cookie: words('pb_auth=%7B%22token%22%3A%22a.b.c%22%7D; ', scale * 15_000) },
    }),
    books,
  ],
  [
    'a cookie of devices',
    (scale) => ({ method: 'GET', headers: { Cookie: `pb_device=${words('.', scale * 15_000)}` } }),
    books,
  ],
  [
    'a token',
    (scale) => ({ method: 'GET', headers: { Authorization: words('a.', scale * 15_000) } }),
    books,
  ],
  [
    'languages',
    (scale) => ({
      method: 'GET',
      headers: { 'Accept-Language': words('en;q=0.1,', scale * 15_000) },
    }),
    '/',
  ],
  [
    'forwarded addresses',
    (scale) => ({
      method: 'GET',
      headers: { 'X-Forwarded-For': words('1.1.1.1,', scale * 15_000) },
    }),
    '/api/health',
  ],
  [
    'subscriptions that are wrong',
    (scale) => ({
      headers: json,
      body: JSON.stringify({
        clientId: 'a',
        subscriptions: Array.from({ length: scale * 1000 }, () => '\n'),
      }),
    }),
    '/api/realtime',
  ],
  [
    'subscriptions with options',
    (scale) => ({
      headers: json,
      body: JSON.stringify({
        clientId: 'a',
        subscriptions: Array.from(
          { length: scale * 1000 },
          (_, i) =>
            `user_books/${i}?options=${escaped(JSON.stringify({ headers: { a: words('a', 800) } }))}`,
        ),
      }),
    }),
    '/api/realtime',
  ],
  [
    'the way back from a provider',
    (scale) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `state=${words('a', scale * (megabyte - 10))}`,
    }),
    '/api/oauth2-redirect',
  ],
  [
    'a body of the product',
    (scale) => ({ headers: json, body: `{"items":[${words('{},', scale * 65_000)}0]}` }),
    '/api/v1/library/restore',
    'reader',
  ],
  [
    'a search',
    (scale) => ({
      method: 'GET',
      path: `/api/v1/book-info/search?q=${words('%CC%95%CC%80', scale * 8000)}`,
    }),
    '/',
  ],
  [
    'a suggestion',
    (scale) => ({
      method: 'GET',
      path: `/api/v1/book-info/suggest?q=${words('a%CC%95%CC%80', scale * 8000)}`,
    }),
    '/',
    'reader',
  ],
  [
    'an ISBN',
    (scale) => ({ method: 'GET', path: `/api/v1/book-info/isbn/${words('%20-', scale * 8000)}` }),
    '/',
  ],
  [
    'a preview',
    (scale) => ({ method: 'GET', path: `/previews/reader/${words('%CC%95', scale * 8000)}.jpg` }),
    '/',
  ],
  [
    'authors with marks',
    (scale) => ({
      headers: json,
      body: JSON.stringify({
        ...book,
        authors: [`a${'\u0315\u0300'.repeat((scale * megabyte) / 4.2)}`],
      }),
    }),
    books,
    'reader',
  ],
  [
    'an ISBN of spaces',
    (scale) => ({
      headers: json,
      body: JSON.stringify({ ...book, isbn: words('- ', scale * (megabyte - 500)) }),
    }),
    books,
    'reader',
  ],
  [
    'a shelf with a long name',
    (scale) => ({
      headers: json,
      body: JSON.stringify({ name: '長'.repeat((scale * megabyte) / 3.2) }),
    }),
    '/api/collections/bookshelves/records',
    'reader',
  ],
]
