import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'

type Name = 'openlibrary' | 'google'

const page = '<!doctype html><title>Sorry</title><p>Please come back later.</p>'
const json = { 'Content-Type': 'application/json' }
const errorBody = (code: number, reason: string, message: string) =>
  JSON.stringify({ error: { code, message, errors: [{ message, domain: 'usageLimits', reason }] } })

/** How another site may treat us; each is a recorded habit of one of the two. */
const habits = {
  fine: null,
  hangs: () => undefined,
  quota: (response: ServerResponse) =>
    response
      .writeHead(429, { ...json, 'Retry-After': '60' })
      .end(errorBody(429, 'rateLimitExceeded', 'Quota exceeded for quota metric')),
  unknownLocation: (response: ServerResponse) =>
    response
      .writeHead(403, json)
      .end(errorBody(403, 'unknownLocation', 'Cannot determine user location')),
  html: (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page),
  cut: (response: ServerResponse) => {
    response.writeHead(200, { ...json, 'Content-Length': '5000' })
    response.write('{"docs": [', () => response.destroy())
  },
  bomb: (response: ServerResponse) =>
    response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(bomb),
  deep: (response: ServerResponse) =>
    response.writeHead(200, json).end('['.repeat(1_000_000) + ']'.repeat(1_000_000)),
  strange: (response: ServerResponse) =>
    response.writeHead(200, json).end('{"docs": 7, "items": {"__proto__": NaN}}'),
  astray: (response: ServerResponse) =>
    response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
  around: (response: ServerResponse, request: IncomingMessage) =>
    response.writeHead(302, { Location: request.url }).end(),
} as const
export type Habit = keyof typeof habits

/** 60 MB of spaces in 60 kB. */
const bomb = gzipSync(Buffer.alloc(60_000_000, ' '))

const nightVolume = {
  id: 'NightFerryGB',
  volumeInfo: {
    title: 'The Night Ferry to Umbra',
    authors: ['Ilse Marrow'],
    publisher: 'Lantern &amp; Sons',
    publishedDate: '2019-03-05',
    description:
      'A ferryman counts his <b>passengers</b> twice.<br><br>One night the count &quot;fails&quot;<script>alert(1)</script>',
    industryIdentifiers: [
      { type: 'OTHER', identifier: 'BL:A0018116962' },
      { type: 'ISBN_13', identifier: '9781861972712' },
      { type: 'ISBN_10', identifier: '1861972717' },
    ],
    pageCount: 312,
    categories: ['Fiction / Literary'],
    imageLinks: {
      thumbnail:
        'http://books.google.com/books/content?id=NightFerryGB&printsec=frontcover&img=1&zoom=1&edge=curl&imgtk=AFLR',
    },
    language: 'en-GB',
  },
}

const nightWork = {
  key: '/works/OL9001W',
  title: 'The night ferry to Umbra',
  author_name: ['Marrow, Ilse'],
  first_publish_year: 2018,
  cover_i: 777,
  isbn: ['978-1-86197-271-2', '1861972717'],
  language: ['spa', 'eng'],
  subject: ['Ferries', 'Protected DAISY', 'nyt:fiction=2019', 'Rivers'],
  number_of_pages_median: 300,
  ia: ['nightferry00marr'],
  ebook_access: 'borrowable',
  id_librivox: ['night-ferry-by-ilse-marrow'],
  editions: {
    docs: [
      {
        key: '/books/OL9001M',
        title: 'The night ferry to Umbra',
        isbn: ['9781861972712'],
        publisher: ['Lantern'],
        publish_date: ['March 5, 2019'],
        language: ['eng'],
        cover_i: -1,
        format: ['paperback'],
      },
    ],
  },
}

const lighthouse = {
  key: '/works/OL9002W',
  title: 'A Lighthouse Keeper&#39;s Arithmetic',
  author_name: ['Tomas Brel', 'Tomas Brel'],
  first_publish_year: 1961,
  isbn: ['junk', '0306406152'],
  language: ['fre'],
  editions: { docs: [] },
}

const nightEdition = {
  key: '/books/OL9001M',
  title: 'The night ferry to Umbra',
  isbn_13: ['978-1-86197-271-2'],
  isbn_10: ['9781861972712'],
  publishers: ['Lantern'],
  publish_date: 'March 5, 2019',
  number_of_pages: 312,
  physical_format: 'paperback',
  languages: [{ key: '/languages/eng' }],
  covers: [-1, null, 777],
  works: [{ key: '/works/OL9001W' }],
}

/** What the two sites say of three invented books, by path. */
const records: Record<string, unknown> = {
  '/books/OL9001M.json': nightEdition,
  '/works/OL9001W.json': {
    key: '/works/OL9001W',
    title: 'The night ferry to Umbra',
    description: {
      type: '/type/text',
      value: 'A river, a boat, a **count**. ([source][1])\r\n\r\n[1]: https://example.org/\r\n',
    },
    subjects: ['Ferries', 'In library'],
  },
  '/works/OL9001W/editions.json': {
    size: 3,
    entries: [
      nightEdition,
      {
        key: '/books/OL9003M',
        title: 'El transbordador nocturno',
        isbn_13: ['9788445074879'],
        publishers: ['Farol'],
        publish_date: '2020',
        physical_format: 'Hardcover',
        number_of_pages: 340,
        languages: [{ key: '/languages/spa' }],
        works: [{ key: '/works/OL9001W' }],
      },
      { key: '/books/OL9004M', title: 'Without any number' },
    ],
  },
  '/books/OL8000M.json': {
    key: '/books/OL8000M',
    type: { key: '/type/redirect' },
    location: '/books/OL9001M',
  },
}

/** Answers recorded from the real sites, where somebody has put them beside the checkout. */
const recorded = join(import.meta.dirname, '../../shared/data/fixtures')

/** @returns a recorded answer of Open Library or Google Books as text, null where there is none */
export function recordedAnswer(file: string): string | null {
  const path = join(recorded, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** @returns the names of recorded answers in a folder, none where there are no recordings */
export function recordedFiles(folder: string): string[] {
  const path = join(recorded, folder)
  return existsSync(path) ? readdirSync(path) : []
}

export interface StandIn {
  /** Of Open Library, and of its covers. */
  openLibraryUrl: string
  googleBooksUrl: string
  /** Paths asked so far, with their query. */
  asked: string[]
  /** The headers of the last request. */
  headers(): IncomingMessage['headers']
  behave(name: Name, habit: Habit): void
  /** Answers one path of Open Library with this text. */
  answer(path: string, body: string | Uint8Array, type?: string): void
  close(): Promise<void>
}

/** Two catalogues on loopback that answer like Open Library and Google Books, or misbehave. */
export async function openCatalogues(): Promise<StandIn> {
  const asked: string[] = []
  const behaviour: Record<Name, Habit> = { openlibrary: 'fine', google: 'fine' }
  const own = new Map<string, { body: string | Uint8Array; type: string }>()
  let headers: IncomingMessage['headers'] = {}
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    headers = request.headers
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const isGoogle = url.pathname.startsWith('/books/v1') || url.pathname === '/books/content'
    const habit = habits[behaviour[isGoogle ? 'google' : 'openlibrary']]
    if (habit) return void habit(response, request)
    const given = own.get(url.pathname)
    if (given) return void response.writeHead(200, { 'Content-Type': given.type }).end(given.body)
    void answerFine(url, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    openLibraryUrl: url,
    googleBooksUrl: `${url}/books/v1`,
    asked,
    headers: () => headers,
    behave: (name, habit) => void (behaviour[name] = habit),
    answer: (path, body, type = 'application/json') => void own.set(path, { body, type }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answerFine(url: URL, response: ServerResponse): Promise<void> {
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, json).end(JSON.stringify(body))
  const { pathname, searchParams } = url
  const cover = /^\/b\/id\/777-[SML]\.jpg$/.test(pathname) || pathname === '/books/content'
  if (cover) {
    const picture = await sharp({
      create: { width: 330, height: 500, channels: 3, background: '#27516b' },
    })
      .jpeg()
      .toBuffer()
    return void response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(picture)
  }
  if (pathname === '/search.json') return void send({ numFound: 2, docs: found(searchParams) })
  if (pathname === '/isbn/9781861972712.json')
    return void response.writeHead(302, { Location: '/books/OL9001M.json' }).end()
  if (pathname === '/api/books') return void send(apiBooks(searchParams))
  if (pathname === '/books/v1/volumes') return void send(volumes(searchParams))
  if (pathname === '/books/v1/volumes/NightFerryGB') return void send(nightVolume)
  const record = records[pathname]
  send(record ?? { error: 'notfound', key: pathname }, record ? 200 : 404)
}

const asks = (params: URLSearchParams, ...words: string[]) => {
  const text = [...params.values()].join(' ').toLowerCase()
  return words.some((word) => text.includes(word))
}

function found(params: URLSearchParams): unknown[] {
  if (params.get('page') !== '1') return []
  const night = asks(params, 'ferry', 'marrow', '9781861972712') ? [nightWork] : []
  return asks(params, 'lighthouse', 'brel') ? [...night, lighthouse] : night
}

/** `items` is absent when nothing was found, and one volume may come twice. */
function volumes(params: URLSearchParams): unknown {
  const isNight = asks(params, 'ferry', 'marrow', '9781861972712')
  if (!isNight || Number(params.get('startIndex') ?? 0) > 0)
    return { kind: 'books#volumes', totalItems: 0 }
  return { kind: 'books#volumes', totalItems: 431, items: [nightVolume, nightVolume] }
}

/** Unknown keys are absent. */
function apiBooks(params: URLSearchParams): Record<string, unknown> {
  const keys = (params.get('bibkeys') ?? '').split(',')
  const known = keys.filter((key) => /9781861972712|OL[89]00\dM/.test(key))
  const of = params.get('jscmd') === 'details' ? detailsOf : dataOf
  return Object.fromEntries(known.map((key) => [key, of(key)]))
}

function dataOf(bibkey: string): unknown {
  return {
    url: 'https://openlibrary.org/books/OL9001M/The_night_ferry_to_Umbra',
    key: '/books/OL9001M',
    title: nightEdition.title,
    identifiers: { isbn_13: [bibkey.replace('ISBN:', '')] },
    authors: [{ url: 'https://openlibrary.org/authors/OL9001A', name: 'Ilse Marrow' }],
    publishers: [{ name: 'Lantern' }],
    subjects: [{ url: 'https://openlibrary.org/subjects/rivers', name: 'Rivers' }],
  }
}

function detailsOf(bibkey: string): unknown {
  return {
    bib_key: bibkey,
    info_url: 'https://openlibrary.org/books/OL9001M/The_night_ferry_to_Umbra',
    preview: 'noview',
    preview_url: 'https://openlibrary.org/books/OL9001M/The_night_ferry_to_Umbra',
    thumbnail_url: 'https://covers.openlibrary.org/b/id/777-S.jpg',
    details: { ...nightEdition, authors: [{ key: '/authors/OL9001A', name: 'Ilse Marrow' }] },
  }
}
