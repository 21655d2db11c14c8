import { randomBytes } from 'node:crypto'

/** One request that means harm, sent from a network of its own. */
export interface Attack {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

const json = { 'Content-Type': 'application/json' }
const records = '/api/collections/user_books/records'
const list = (query: Record<string, string>) =>
  `${records}?${new URLSearchParams(query).toString()}`
const alternatives = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join(' || ')

/** The readers that are attacked, and the token of an attacker. */
export interface Targets {
  /** Id of a reader with many books. */
  user: string
  /** Username of a reader with very many books, readings and tags. */
  large: string
  /** Token of an attacker's account. */
  token: string
}

/** An anonymous upload, which is refused before it has arrived. */
const upload = new Uint8Array(20 * 1024 * 1024)

/** Files that are within the limits and take as long to import as possible. */
const files = {
  'an import of spaces': () => `ISBN,Title\n${`A,"x${' '.repeat(950_000)}"\n`.repeat(5)}`,
  'an import of authors': () => `Title,Author\nEmma,"${'Ann Author, '.repeat(60_000)}"\n`,
  'an import of columns': () =>
    `Title,Author,${Array.from({ length: 998 }, (_, n) => n + 'x'.repeat(900)).join()}\n${'Emma\n'.repeat(600)}`,
}

/**
 * The worst that each parser, sniffer and filter takes within the limits, and what lies just beyond.
 *
 * @returns makers, since a body can be sent once only
 */
export function attacks({ user, large, token }: Targets): (() => Attack)[] {
  const signUp = '/api/collections/users/records'
  const picture = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('avatar', new File([bytes], name))
    form.set('email', 'nobody@example.org')
    return form
  }
  const repeated = (text: string, bytes: number) =>
    new Uint8Array(Buffer.from(text.repeat(Math.floor(bytes / text.length))))
  const megabytes5 = 5 * 1024 * 1024
  const post = (name: string, body: Attack['body'], path = signUp): Attack => ({
    name,
    method: 'POST',
    path,
    ...(typeof body === 'string' && { headers: json }),
    ...(body !== undefined && { body }),
  })
  const get = (name: string, path: string): Attack => ({ name, method: 'GET', path })
  const imports = '/api/collections/imports/records'
  const anImport = (content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('file', new File([content], 'books.csv'))
    return form
  }
  const somePage = () => Math.ceil(Math.random() * 1000)
  const batchOf = (markup: string) => {
    const form = new FormData()
    const request = { method: 'POST', url: signUp, body: {} }
    form.set('@jsonPayload', JSON.stringify({ requests: [request, request] }))
    for (const n of [0, 1])
      form.set(`requests.${n}.avatar`, new File([repeated(markup, megabytes5)], 'a.svg'))
    return form
  }
  return [
    () => post('declarations as a picture', picture('a.svg', repeated('<!a>', megabytes5))),
    () => post('comments as a picture', picture('a.svg', repeated('<!---->', megabytes5))),
    () =>
      post(
        'an open DOCTYPE as a picture',
        picture('a.svg', repeated('<!DOCTYPE svg [', megabytes5)),
      ),
    () => post('noise as a picture', picture('a.png', new Uint8Array(randomBytes(megabytes5)))),
    () => post('declarations in a batch', batchOf('<!a>'), '/api/batch'),
    () => post('deep JSON', '['.repeat(500_000)),
    () =>
      post('many keys', `{${alternatives(60_000, (n) => `"k${n}":1`).replaceAll(' || ', ',')}}`),
    () =>
      post('a batch of many', `{"requests":[${Array(20_000).fill('{}').join()}]}`, '/api/batch'),
    () => post('too much', 'x'.repeat(2 * 1024 * 1024)),
    () =>
      get(
        'many alternatives',
        list({ filter: `user="${user}" && (${alternatives(150, (n) => `title:lower="t${n}"`)})` }),
      ),
    () =>
      get('a search of everything', list({ filter: 'title ~ "%a%b%c%d%" || authors ~ "%x%y%"' })),
    () => get('a deep filter', list({ filter: `${'('.repeat(400)}id=""${')'.repeat(400)}` })),
    () => get('a long sort', list({ sort: Array(500).fill('-title').join(',') })),
    () =>
      get(
        'back-relations',
        list({
          filter:
            'user.user_books_via_user.title ?~ "a" && shelf.user_books_via_shelf.title ?~ "b"',
        }),
      ),
    () =>
      get(
        'deep expand',
        list({
          expand: 'shelf.user.bookshelves_via_user.user_books_via_shelf,user',
          perPage: '1000',
        }),
      ),
    () =>
      get(
        'the same books included by many',
        list({ expand: 'shelf.user.bookshelves_via_user.user_books_via_shelf', perPage: '22' }),
      ),
    () =>
      get(
        'a page of a thousand',
        list({ perPage: '1000', fields: Array(300).fill('*').join(',') }),
      ),
    () => get('a far page', list({ page: '1000000000', sort: '@random' })),
    () =>
      get(
        'a search of the catalogue',
        `/api/v1/book-info/search?q=${encodeURIComponent('zqx '.repeat(60))}`,
      ),
    () => get('a preview', `/previews/reader/reader-${Math.floor(Math.random() * 200)}.jpg`),
    () =>
      get('a page', `/u/reader-${Math.floor(Math.random() * 200)}/books?q=${'%61'.repeat(500)}`),
    () => get('a diary', `/api/v1/users/${large}/diary?page=${somePage()}`),
    () => get('a page of a diary', `/u/${large}/diary`),
    () => get('statistics', `/api/v1/users/${large}/stats`),
    () => get('a bar of the statistics', `/api/v1/users/${large}/diary?by=genre&key=${somePage()}`),
    () => get('a page of tags', `/u/${large}/tags`),
    () => get('readings', `/api/collections/readings/records?page=${somePage()}&sort=-finished`),
    () => post('an anonymous import', anImport(upload), imports),
    ...Object.entries(files).map(([name, content]) => () => ({
      ...post(name, anImport(content()), imports),
      headers: { Authorization: token },
    })),
    () => ({
      ...get('many cookies', records),
      headers: { Cookie: Array(400).fill('pb_auth=%7B%22token%22%3A1%7D').join(';') },
    }),
    () => ({
      ...get('many languages', '/explore'),
      headers: { 'Accept-Language': 'de;q=0.1,'.repeat(800) },
    }),
  ]
}
