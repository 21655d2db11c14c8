import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openCatalogue, type Catalogue } from '#catalogue/index.ts'
import { searchForm } from '#shared/search-form.ts'
import {
  openCatalogues,
  recordedAnswer,
  recordedFiles,
  type Habit,
  type StandIn,
} from '#tests/catalogues.ts'
import { decodePage } from '#catalogue/search/encoded-page.ts'
import type { CatalogueWork } from '../index/work.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import { withSources, type FederatedCatalogue } from './with-sources.ts'

let sites: StandIn

beforeEach(async () => {
  sites = await openCatalogues()
  onTestFinished(() => sites.close())
})

async function emptyFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-sources-'))
  await copyStarterIndex(folder)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const similar = {
  title: 'The Night Ferry Murders',
  other_titles: [],
  authors: ['Ottilie Quantrell'],
  genres: [],
  description: '',
  readers: 3,
  editions: [
    {
      id: 'OL9999M',
      ids: { openlibrary: 'OL9999M' },
      image_links: [],
      page_count: 0,
      published_date: '',
      publisher: '',
      language: 'eng',
    },
  ],
} satisfies CatalogueWork

/** A catalogue that knows the starter books, or what an earlier one learnt in the folder. */
async function open(
  options: { folder?: string; told?: string[]; country?: string } = {},
): Promise<FederatedCatalogue> {
  const { folder = await emptyFolder(), ...rest } = options
  const index = await openCatalogue({ folder, workers: 1 })
  const world = combined(index, folder, rest)
  onTestFinished(() => world.close())
  return world
}

function combined(
  index: Catalogue,
  folder: string,
  { told = [], country = 'US' }: { told?: string[]; country?: string } = {},
): FederatedCatalogue {
  return withSources(index, {
    folder,
    sources: ['openlibrary', 'google'],
    openLibraryUrl: sites.openLibraryUrl,
    googleBooksUrl: sites.googleBooksUrl,
    googleBooksKey: 'a-key',
    country,
    userAgent: 'Octavo/1 (test@example.org)',
    log: { info: (line) => void told.push(line), warn: (line) => void told.push(line) },
  })
}

const form = (fields: Record<string, unknown>) => searchForm.parse(fields)
const ferry = form({ q: 'ferry umbra' })
const night = '9781861972712'

describe('editions for completing books', () => {
  const others = ['9780306406157', '9788445074879']

  test('come many at once from Open Library, and are learnt', async () => {
    const world = await open()
    const found = await world.editionsFrom('openlibrary', [...others, night])
    expect(found).toMatchObject([
      {
        title: 'The night ferry to Umbra',
        authors: ['Ilse Marrow'],
        genres: ['Rivers'],
        image_links: ['https://covers.openlibrary.org/b/id/777-L.jpg'],
        page_count: 312,
        isbns: { ISBN_13: night },
        published_date: '2019-03-05',
        language: 'eng',
      },
    ])
    const asked = sites.asked.map((path) => new URL(path, sites.openLibraryUrl).searchParams)
    const both = ['details', 'data'].map((jscmd) => ({
      bibkeys: `ISBN:9780306406157,ISBN:9788445074879,ISBN:${night}`,
      format: 'json',
      jscmd,
    }))
    expect(asked.map((params) => Object.fromEntries(params))).toEqual(expect.arrayContaining(both))
    expect(asked).toHaveLength(2)
    await expect
      .poll(async () => (await world.known(night))?.title)
      .toBe('The night ferry to Umbra')
  })

  test('come one at a time from Google', async () => {
    const world = await open()
    expect(world.sources).toEqual([
      { name: 'openlibrary', isbnsAtOnce: 20 },
      { name: 'google', isbnsAtOnce: 1 },
    ])
    expect(await world.editionsFrom('google', [night])).toMatchObject([
      { title: 'The Night Ferry to Umbra', isbns: { ISBN_13: night } },
    ])
    expect(await world.editionsFrom('google', ['9780306406157'])).toEqual([])
  })

  test.each<Habit>(['quota', 'html', 'deep', 'cut', 'astray'])(
    'fail if the source answers with “%s”',
    async (habit) => {
      sites.behave('openlibrary', habit)
      const world = await open()
      await expect(world.editionsFrom('openlibrary', [night])).rejects.toMatchObject({
        name: 'SourceFailure',
      })
    },
  )

  test('lack what isn’t understood', async () => {
    const answer = { [`ISBN:${night}`]: { details: { key: '/books/OL1M' } }, [others[0]!]: 7 }
    sites.answer('/api/books', JSON.stringify(answer))
    expect(await (await open()).editionsFrom('openlibrary', [night, others[0]!])).toEqual([])
  })
})

describe('a search', () => {
  test('merges and cleans what both sources say about a book', async () => {
    const { books, hasMoreResults, sources } = await (await open()).search(ferry)
    expect(sources).toEqual({ openlibrary: 'answered', google: 'answered' })
    expect(hasMoreResults).toBe(false)
    expect(books).toEqual([
      {
        id: 'OL9001M',
        ids: {
          openlibrary: 'OL9001M',
          google: 'NightFerryGB',
          work: 'OL9001W',
          librivox: 'night-ferry-by-ilse-marrow',
          archive: 'nightferry00marr',
        },
        title: 'The Night Ferry to Umbra',
        authors: ['Ilse Marrow'],
        genres: ['Fiction', 'Literary', 'Ferries', 'Rivers'],
        image_links: [
          'https://books.google.com/books/content?id=NightFerryGB&printsec=frontcover&img=1&zoom=1&source=gbs_api',
          'https://covers.openlibrary.org/b/id/777-L.jpg',
        ],
        page_count: 312,
        isbns: { ISBN_10: '1861972717', ISBN_13: night },
        description: 'A ferryman counts his passengers twice.\n\nOne night the count "fails"',
        published_date: '2019-03-05',
        publisher: 'Lantern & Sons',
        language: 'eng',
        format: 'Paperback',
        slug: 'the-night-ferry-to-umbra-9781861972712',
      },
    ])
  })

  test('finds elsewhere what the index has only something like', async () => {
    const world = await open()
    await world.learn('openlibrary', [similar])
    const q = 'the night ferry to umbra'
    const here = await world.search(form({ q }), 'cached')
    expect([here.absent, here.books.length > 0]).toEqual([true, true])
    const { books, absent, left_out: leftOut } = await world.search(form({ q }))
    expect([absent, leftOut]).toEqual([undefined, undefined])
    expect(books[0]?.title).toBe('The Night Ferry to Umbra')
    const other = await world.search(form({ q: 'fullmetal panic' }))
    expect(other).toMatchObject({ absent: true, sources: { openlibrary: 'answered' } })
  })

  test('sends its own name and address, and nothing about the reader', async () => {
    await (await open()).search(ferry)
    expect(sites.headers()).toMatchObject({ 'user-agent': 'Octavo/1 (test@example.org)' })
    expect(Object.keys(sites.headers())).not.toContain('referer')
    expect(Object.keys(sites.headers())).not.toContain('cookie')
    const google = sites.asked.find((path) => path.startsWith('/books/v1'))
    const params = new URL(google ?? '', sites.openLibraryUrl).searchParams
    expect(Object.fromEntries(params)).toMatchObject({
      q: 'ferry umbra',
      country: 'US',
      key: 'a-key',
      startIndex: '0',
      maxResults: '18',
      orderBy: 'relevance',
    })
    const library = sites.asked.find((path) => path.startsWith('/search.json'))
    expect(library).toContain('limit=18')
    expect(library).toMatch(/fields=[^&]*editions\.isbn/)
  })

  test('is translated into the words of each, operators taken out', async () => {
    const asked = form({
      q: 'night" OR author:x',
      by: '2',
      title: 'war and peace',
      author: 'Leo "T"',
      publisher: 'Knopf',
      genre: 'fiction',
      order: 'newest',
    })
    await (await open()).search(asked)
    const params = sites.asked.map((path) => new URL(path, sites.openLibraryUrl).searchParams)
    const google = params.find((one) => one.has('maxResults'))
    expect(google?.get('q')).toBe(
      '"night OR author x" intitle:"war and peace" inauthor:"Leo T" inpublisher:"Knopf" subject:"fiction"',
    )
    expect(google?.get('orderBy')).toBe('newest')
    const library = params.find((one) => one.has('limit'))
    expect(Object.fromEntries(library ?? [])).toMatchObject({
      q: '"night or author x"',
      title: 'war and peace',
      author: 'Leo T',
      publisher: 'Knopf',
      subject: 'fiction',
      sort: 'new',
    })
  })

  test('is answered from memory the second time, also after a restart and with all lines cut', async () => {
    const folder = await emptyFolder()
    const first = await open({ folder })
    await first.search(ferry)
    const again = await first.search(form({ q: 'Ferry  UMBRA' }))
    expect(again.books.map((book) => book.isbns.ISBN_13)).toEqual([night])
    expect(again.sources).toEqual({ openlibrary: 'answered', google: 'answered' })
    expect(sites.asked).toHaveLength(2)
    // Other words, with a typo, once the index has learnt it.
    const typo = form({ q: 'marow nigt ferry' })
    await expect
      .poll(async () => (await first.search(typo, 'cached')).books[0]?.isbns.ISBN_13)
      .toBe(night)
    // What each said is learnt by itself.
    await expect.poll(async () => (await first.known(night))?.ids.google).toBe('NightFerryGB')
    await first.close()
    sites.behave('openlibrary', 'hangs')
    sites.behave('google', 'hangs')
    const second = await open({ folder })
    for (const asked of [ferry, typo]) {
      const { books } = await second.search(asked, 'cached')
      expect(books[0]).toMatchObject({
        title: expect.stringMatching(/^the night ferry to umbra$/i),
        isbns: { ISBN_13: night },
      })
    }
    expect((await second.byIsbn('1861972717'))?.ids.google).toBe('NightFerryGB')
    expect((await second.byId('NightFerryGB'))?.isbns.ISBN_13).toBe(night)
  })

  test('of one data folder is remembered by that one alone', async () => {
    await (await open()).search(ferry)
    sites.behave('openlibrary', 'hangs')
    sites.behave('google', 'hangs')
    expect((await (await open()).search(ferry, 'cached')).books).toEqual([])
  })

  test('R62: is asked again for another country', async () => {
    const folder = await emptyFolder()
    await (await open({ folder })).search(ferry)
    const asked = sites.asked.length
    await (await open({ folder, country: 'DE' })).search(ferry)
    expect(sites.asked.slice(asked).join()).toContain('country=DE')
  })

  test('of which the index has a whole page is asked of nobody', async () => {
    const { books, sources } = await (await open()).search(form({ genre: 'manga' }))
    expect(books).toHaveLength(18)
    expect(sources).toEqual({ openlibrary: 'unasked', google: 'unasked' })
    expect(sites.asked).toEqual([])
  })

  test('puts what explains all words first, and keeps a typo put right', async () => {
    const world = await open()
    const typo = await world.search(form({ q: 'frankenstien' }))
    expect(typo.books[0]?.title).toBe('Frankenstein')
    const weak = await world.search(form({ q: 'lighthouse brel' }))
    expect(weak.books[0]).toMatchObject({
      title: "A Lighthouse Keeper's Arithmetic",
      authors: ['Tomas Brel'],
      isbns: { ISBN_10: '0306406152', ISBN_13: '9780306406157' },
      published_date: '1961',
      language: 'fre',
      ids: { openlibrary: 'OL9002W' },
    })
  })

  test('pages through what the index and the others have, nothing twice, nothing lost', async () => {
    const docs = Array.from({ length: 18 }, (_, i) => {
      const body = `97800000${String(1000 + i)}`
      const sum = [...body].reduce((all, digit, at) => all + Number(digit) * (at % 2 ? 3 : 1), 0)
      const isbn = body + String((10 - (sum % 10)) % 10)
      return {
        key: `/works/OL${i + 1}W`,
        title: `Frankenstein ${i}`,
        isbn: [isbn],
        author_name: ['X'],
      }
    })
    sites.answer('/search.json', JSON.stringify({ docs }))
    sites.behave('google', 'quota')
    const world = await open()
    const own = await world.search(form({ q: 'frankenstein' }), 'cached')
    const pages = []
    for (let page = 1; page <= 3; page++)
      pages.push(await world.search(form({ q: 'frankenstein', page })))
    const titles = pages.flatMap(({ books }) => books.map((book) => book.title))
    // The same page again and again is no new book.
    expect(titles).toHaveLength(own.books.length + 18)
    expect(new Set(titles).size).toBe(titles.length)
    expect(pages[0]?.books).toHaveLength(18)
    expect(pages.at(-1)?.hasMoreResults).toBe(false)
    // By the last book a reader has, the pages are the same, and stay so for others.
    const other = await open()
    const first = await other.search(form({ q: 'frankenstein' }))
    const after = first.books.at(-1)?.id
    for (const page of [2, 1]) {
      const next = await other.search(form({ q: 'frankenstein', page, after }))
      expect(next.books.map((book) => book.title)).toEqual(titles.slice(18, 36))
    }
    const plain = await other.search(form({ q: 'frankenstein', page: 2 }))
    expect(plain.books.map((book) => book.title)).toEqual(titles.slice(18, 36))
  })

  test('R62: is answered alike whatever others asked before', { timeout: 60_000 }, async () => {
    sites.behave('openlibrary', 'quota')
    sites.behave('google', 'quota')
    const searches = [
      { genre: 'horror' },
      { genre: 'romance' },
      { genre: 'romance', order: 'newest' },
      { q: 'war', by: '2' },
      { q: 'frankenstien', author: 'shelley' },
      { q: 'a woman in love', mode: 'describe' },
    ]
    const folder = await emptyFolder()
    const index = await openCatalogue({ folder, workers: 1 })
    onTestFinished(() => index.close())
    const ids = new Set(['nowhere'])
    for (const one of searches)
      for (const page of [1, 2]) {
        const { books } = await index.search(form({ ...one, page }))
        for (const place of [0, 4, 17]) if (books[place]) ids.add(books[place].id)
      }
    const visit = fc.record({
      page: fc.constantFrom(1, 2, 3, 4),
      after: fc.oneof(fc.constant(''), fc.constantFrom(...ids)),
      language: fc.constantFrom('', 'ger', 'fre'),
    })
    const asked = fc
      .tuple(fc.constantFrom(...searches), fc.array(visit, { minLength: 4, maxLength: 12 }))
      .map(([one, visits]) =>
        visits.map(({ language, ...where }) => ({ form: { ...one, ...where }, language })),
      )
    await fc.assert(
      fc.asyncProperty(asked, async (list) => {
        // Each order of the same questions finds other answers in the caches.
        const answers = async (questions: typeof list) => {
          const world = combined({ ...index, close: () => Promise.resolve() }, folder)
          const found: unknown[] = []
          for (const one of questions) {
            const page = await world.searchEncoded(form(one.form), 'fetch', one.language)
            const { books, ...said } = decodePage(page)
            found.push([page.unanswerable, books.map((book) => book.id), said])
          }
          await world.close()
          return found
        }
        const backwards = await answers(list.toReversed())
        expect(await answers(list)).toEqual(backwards.toReversed())
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) },
    )
  })
})

describe('a source that misbehaves', () => {
  const habits: Habit[] = [
    'hangs',
    'quota',
    'unknownLocation',
    'html',
    'cut',
    'bomb',
    'deep',
    'strange',
    'astray',
    'around',
  ]

  test.each(habits)('(%s) leaves the other one its say', async (habit) => {
    sites.behave('openlibrary', habit)
    const { books, sources } = await (await open()).search(ferry)
    expect(sources).toEqual({ openlibrary: 'silent', google: 'answered' })
    expect(books.map((book) => book.id)).toEqual(['NightFerryGB'])
  })

  test('leaves the index its say when both do, and is then left alone: one line tells', async () => {
    sites.behave('openlibrary', 'html')
    sites.behave('google', 'unknownLocation')
    const told: string[] = []
    const world = await open({ told })
    for (const q of ['frankenstein', 'dracula', 'middlemarch', 'persuasion', 'villette', 'emma'])
      await world.search(form({ q }))
    const asked = sites.asked.length
    expect(asked).toBe(10)
    const { books, sources } = await world.search(form({ q: 'frankenstein shelley' }))
    expect(books[0]?.title).toBe('Frankenstein')
    expect(sources).toEqual({ openlibrary: 'silent', google: 'silent' })
    expect(sites.asked).toHaveLength(asked)
    expect(told).toHaveLength(2)
    expect(told.join()).toContain('Open Library does not answer')
  })

  test('cannot lead to another address', async () => {
    sites.behave('openlibrary', 'astray')
    sites.behave('google', 'astray')
    expect(await (await open()).byIsbn('9780306406157')).toBeNull()
  })

  test('is read in the encoding it forgot to name', async () => {
    const doc = {
      key: '/works/OL5W',
      title: 'Thérèse',
      isbn: ['9780306406157'],
      author_name: ['Zola'],
    }
    sites.answer('/search.json', Buffer.from(JSON.stringify({ docs: [doc] }), 'latin1'))
    const { books } = await (await open()).search(form({ q: 'therese zola raquin' }))
    expect(books.map((book) => book.title)).toContain('Thérèse')
  })

  test('does not spoil good records with bad ones', async () => {
    const docs = [
      null,
      { key: 'DUP/works/1', title: 'Wrong key' },
      { key: '/works/OL6W', title: 5 },
      {
        key: '/works/OL7W',
        title: '  Quiet\u0000 \u202Enight  ',
        isbn: [7, '9780306406157'],
        author_name: 'nobody',
        cover_i: 'x',
        editions: null,
        __proto__: { polluted: true },
      },
    ]
    sites.answer('/search.json', JSON.stringify({ docs }))
    const { books } = await (await open()).search(form({ q: 'quiet night' }))
    expect(books.filter((book) => book.ids.work === 'OL7W')).toMatchObject([
      { title: 'Quiet night', authors: [], image_links: [] },
    ])
  })
})

describe('one book', () => {
  test('that the index does not know is asked for by ISBN, through redirects', async () => {
    const book = await (await open()).byIsbn('978-1-86197-271-2')
    expect(book).toMatchObject({
      title: 'The Night Ferry to Umbra',
      authors: ['Ilse Marrow'],
      ids: { google: 'NightFerryGB', openlibrary: 'OL9001M', work: 'OL9001W' },
      page_count: 312,
      slug: 'the-night-ferry-to-umbra-9781861972712',
    })
    expect(sites.asked).toContain('/books/OL9001M.json')
  })

  test('is found by what a source calls it, wherever it has moved', async () => {
    expect((await (await open()).byId('NightFerryGB'))?.title).toBe('The Night Ferry to Umbra')
    sites.behave('google', 'quota')
    const moved = await (await open()).byId('OL8000M')
    expect(moved).toMatchObject({
      title: 'The night ferry to Umbra',
      description: 'A river, a boat, a count.',
      genres: ['Rivers', 'Ferries'],
      image_links: ['https://covers.openlibrary.org/b/id/777-L.jpg'],
      format: 'Paperback',
    })
  })

  test('is told from one whose name there differs in case alone', async () => {
    const world = await open()
    expect(await world.byId('nightferrygb')).toBeNull()
    expect((await world.byId('NightFerryGB'))?.title).toBe('The Night Ferry to Umbra')
  })

  test('of another ISBN than asked for is not taken', async () => {
    sites.answer(
      '/isbn/9780306406157.json',
      JSON.stringify({ key: '/books/OL1M', title: 'Other', isbn_13: [night] }),
    )
    expect(await (await open()).byIsbn('9780306406157')).toBeNull()
  })

  test('has the other editions of its work, those with an ISBN', async () => {
    const world = await open()
    const book = await world.byIsbn(night)
    expect(book && (await world.editions(book))).toMatchObject([
      {
        title: 'El transbordador nocturno',
        isbns: { ISBN_13: '9788445074879' },
        format: 'Hardcover',
        language: 'spa',
        page_count: 340,
        authors: ['Ilse Marrow'],
      },
    ])
  })

  test('is of a series when another one by its author says so, too', async () => {
    const isbns = { OL9101M: '9781861972712', OL9102M: '9788445074879' }
    for (const [n, [id, isbn]] of Object.entries(isbns).entries()) {
      const title = ['The Night Ferry', 'The Morning Ferry'][n]
      const series = ['Ferries of Umbra', `Ferries of Umbra ; v. ${n + 1}`]
      const record = { key: `/books/${id}`, title, isbn_13: [isbn], series }
      sites.answer(`/books/${id}.json`, JSON.stringify(record))
    }
    const authors = [{ name: 'Ilse Marrow' }]
    const names = Object.keys(isbns).map((id) => [`OLID:${id}`, { authors }])
    sites.answer('/api/books', JSON.stringify(Object.fromEntries(names)))
    const world = await open()
    const first = await world.byId('OL9101M')
    expect(first).not.toHaveProperty('series_statements')
    await expect.poll(async () => (await world.known(isbns.OL9101M))?.series).toEqual([])
    await world.byId('OL9102M')
    const named = { id: 'ferries-of-umbra--ilse-marrow', name: 'Ferries of Umbra' }
    await expect
      .poll(async () => (await world.known(isbns.OL9101M))?.series)
      .toEqual([{ ...named, position: '1' }])
    const places = (await world.series(named.id))?.entries
    expect(places?.map(({ position, book }) => [position, book.title])).toEqual([
      ['1', 'The Night Ferry'],
      ['2', 'The Morning Ferry'],
    ])
  })

  test('is of the series that a search of Open Library lists', async () => {
    const isbns = ['9781861972712', '9788445074879']
    const docs = isbns.map((isbn, n) => ({
      key: `/works/OL930${n}W`,
      title: ['The Night Ferry', 'The Morning Ferry'][n],
      isbn: [isbn],
      author_name: ['Ilse Marrow'],
      series_key: ['OL1L', 'OL2L'],
      series_name: ['Boats', 'Ferries of Umbra'],
      series_position: ['', String(n + 1)],
    }))
    sites.answer('/search.json', JSON.stringify({ docs }))
    const world = await open()
    await world.search(form({ q: 'ferries of umbra' }))
    expect(sites.asked.find((path) => path.startsWith('/search.json'))).toContain('series_position')
    const named = { id: 'ferries-of-umbra--ilse-marrow', name: 'Ferries of Umbra' }
    await expect
      .poll(async () => (await world.known(isbns[1] ?? ''))?.series)
      .toEqual([{ ...named, position: '2' }])
  })

  test('of the index learns its cover for the next visit', async () => {
    const isbn = '9780141439518'
    const record = {
      key: '/books/OL77M',
      title: 'Pride and Prejudice',
      isbn_13: [isbn],
      covers: [777],
      works: [{ key: '/works/OL78W' }],
    }
    sites.answer(`/isbn/${isbn}.json`, JSON.stringify(record))
    const world = await open()
    expect((await world.byIsbn(isbn))?.image_links).toEqual([])
    await expect
      .poll(async () => (await world.byIsbn(isbn))?.image_links)
      .toEqual(['https://covers.openlibrary.org/b/id/777-L.jpg'])
    expect((await world.byIsbn(isbn))?.ids).toMatchObject({ openlibrary: 'OL77M', work: 'OL78W' })
  })
})

describe('answers recorded from the real sites are understood', () => {
  test.skipIf(!recordedAnswer('openlibrary/bookwyrm/ol_search.json'))('search', async () => {
    sites.answer('/search.json', recordedAnswer('openlibrary/bookwyrm/ol_search.json') ?? '')
    const { books } = await (await open()).search(form({ q: 'how you lose the time war' }))
    expect(books[0]).toMatchObject({
      title: 'This Is How You Lose the Time War',
      authors: ['Amal El-Mohtar', 'Max Gladstone'],
      isbns: { ISBN_10: '1534431004', ISBN_13: '9781534431003' },
    })
  })

  const edition = recordedAnswer('openlibrary/neodb/books_OL7353617M_json.json')
  const data = recordedAnswer(
    'openlibrary/neodb/api_books_bibkeys_OLID_OL7353617M_jscmd_data_format_json.json',
  )
  test.skipIf(!edition || !data)('editions for completing books', async () => {
    const [known] = Object.values(JSON.parse(data ?? '{}') as Record<string, object>)
    const answer = { ...known, details: JSON.parse(edition ?? '{}') as unknown }
    sites.answer('/api/books', JSON.stringify({ 'ISBN:9780140328721': answer }))
    const found = await (await open()).editionsFrom('openlibrary', ['9780140328721'])
    expect(found).toMatchObject([
      {
        title: 'Fantastic Mr. Fox',
        authors: ['Roald Dahl'],
        image_links: ['https://covers.openlibrary.org/b/id/8739161-L.jpg'],
        page_count: 96,
        published_date: '1988-10-01',
        language: 'eng',
      },
    ])
    expect(found[0]?.genres).toContain('Animals')
  })

  test.skipIf(recordedFiles('googlebooks/neodb').length === 0)('volumes', async () => {
    for (const file of recordedFiles('googlebooks/neodb').filter((name) => /hV_/.test(name))) {
      const text = recordedAnswer(`googlebooks/neodb/${file}`) ?? ''
      sites.answer('/books/v1/volumes', JSON.stringify({ items: [JSON.parse(text)] }))
      sites.behave('openlibrary', 'quota')
      sites.answer('/books/v1/volumes/hV--zQEACAAJ', text)
      expect(await (await open()).byId('hV--zQEACAAJ')).toMatchObject({
        isbns: { ISBN_13: '9781847498571' },
        published_date: '2021-01-07',
        language: 'eng',
      })
    }
  })

  test.skipIf(!recordedAnswer('openlibrary/neodb/works_OL45804W_editions_json.json'))(
    'editions',
    async () => {
      sites.answer(
        '/works/OL45804W/editions.json',
        recordedAnswer('openlibrary/neodb/works_OL45804W_editions_json.json') ?? '',
      )
      const world = await open()
      const book = await world.byIsbn('9780141439518')
      const editions = book && (await world.editions({ ...book, ids: { work: 'OL45804W' } }))
      expect(editions?.length).toBeGreaterThan(5)
      for (const { isbns } of editions ?? []) expect(isbns.ISBN_13).toMatch(/^97[89]\d{10}$/)
    },
  )
})
