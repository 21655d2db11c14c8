import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchForm, searchOrTitleForm } from '#shared/search-form.ts'
import type { IndexedBooks } from '../reading/books.ts'
import { openBooks } from '../reading/books.ts'
import { buildIndex } from '../starter/build-index.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { openIndexReader } from '../reading/index-reader.ts'
import { createSearch } from './search.ts'
import type { CatalogueWork } from '../index/work.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-index-'))
const file = join(folder, 'catalogue.db')
let reader: IndexReader
let books: IndexedBooks
let search: ReturnType<typeof createSearch>

/** Far more works with the word "garden" than one window weighs, and some of their own kind. */
const gardens = Array.from({ length: 1400 }, (_, i): CatalogueWork => {
  const year = String(1700 + (i % 300))
  return work(`The Garden Number ${i}`, i % 97, [`g${i}`], year, ['Nature'])
})
const others = [
  work('Garden', 0, ['plain'], '1950', ['Nature']),
  work('Unread Winter', 0, ['unread'], '1999-05-02', ['Nature']),
  work('Well Read Winter', 90_000, ['wellread'], '2001', ['Nature'], ['Le grand hiver']),
  ...['2003', '', '2003-11', '2003-02-09', '2003-11-30', '1870'].map((published) =>
    work(`Almanac ${published}`, published.length, [`almanac${published}`], published, ['Nature']),
  ),
  work('Almanac of 2003', 900, ['wellknown'], '2003', ['Nature']),
  work('It', 90_001, ['it'], '1986', ['Horror']),
  work('It', 3, ['lesserit'], '1990', ['Nature']),
  work('It Begins', 99_999, ['begins'], '1990', ['Horror']),
  work('Él', 5, ['el'], '1926', ['Horror'], ['Him']),
  work('Lighthouse Songs', 120, ['songs'], '1990', ['Nature']),
  inGerman(work('Lighthouse Tales', 100, ['tales'], '1990', ['Nature'])),
  work('Quarry Lantern Diary', 100, ['first'], '1990', []),
  work('Diary Quarry Lantern', 120, ['last'], '1990', []),
  work('Old Meadow Ledger', 100, ['together'], '1990', []),
  work('Meadow Old Ledger', 120, ['apart'], '1990', []),
  work('Kestrel Orchard Blue', 100, ['title'], '1990', []),
  work('Something Else', 90_000, ['other'], '1990', [], ['Kestrel Orchard Red']),
  { ...work('Tidal Notes', 100, ['author'], '1990', []), authors: ['Mira Quellin', 'Jo Brask'] },
  { ...work('Tidal Pages', 120, ['helper'], '1990', []), authors: ['Jo Brask', 'Mira Quellin'] },
  work('Basket Green Volcano', 100, ['titled'], '1990', []),
  work('Plain Thing', 90_000, ['about'], '1990', ['Volcano Basket']),
  work('Old Heron of the Sea', 100, ['small'], '1990', []),
  work('Old Red Heron Sea', 100, ['long'], '1990', []),
  { ...work('Two Editions', 5, ['hard', 'soft'], '1990', []), subtitle: 'A Study in Bindings' },
]

function work(
  title: string,
  readers: number,
  ids: string[],
  published: string,
  genres: string[],
  otherTitles: string[] = [],
): CatalogueWork {
  const editions = ids.map((id, i) => ({
    id,
    ids: { openlibrary: `OL-${id}` },
    isbn13: ['9780306406157', '9780140449136'][i] ?? '',
    image_links: [],
    page_count: 100,
    published_date: published,
    publisher: 'Test Press',
    language: 'eng',
  }))
  const [first, ...rest] = editions.map((e) => (ids.length > 1 ? e : { ...e, isbn13: '' }))
  if (!first) throw new Error('A work needs an edition.')
  return {
    title,
    other_titles: otherTitles,
    authors: [`Author ${title.length}`],
    genres,
    description: '',
    readers,
    editions: [first, ...rest],
  }
}

function inGerman({ editions: [first, ...rest], ...others }: CatalogueWork): CatalogueWork {
  const [edition, ...more] = [first, ...rest].map((one) => ({ ...one, language: 'ger' }))
  return { ...others, editions: [edition!, ...more] }
}

const starterOf = (works: Iterable<CatalogueWork>) => ({
  works,
  version: 'test',
  curated: { shown: ['soft', 'g1'] },
})

beforeAll(async () => {
  await buildIndex(file, starterOf([...gardens, ...others]))
  reader = openIndexReader(file)
  books = openBooks(file)
  search = createSearch(reader)
})
afterAll(() => {
  reader.close()
  books.close()
  rmSync(folder, { recursive: true })
})

const page = (form: Record<string, unknown>) => {
  const { editionIds, hasMoreResults } = search(searchForm.parse(form))
  return { keys: editionIds.map((id) => books.byEdition(id)?.id ?? ''), hasMoreResults }
}

function allKeys(form: Record<string, unknown>): string[] {
  const keys: string[] = []
  for (let number = 1; ; number++) {
    const answer = page({ ...form, page: number })
    keys.push(...answer.keys)
    if (!answer.hasMoreResults) return keys
  }
}

describe('a word that many works hold', () => {
  test.each([['relevance'], ['newest']])('is paged by %s to the last of them', (order) => {
    const keys = allKeys({ q: 'garden', order })
    expect(keys).toHaveLength(gardens.length + 1)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('still has the exact title first, though nobody reads it', () => {
    expect(page({ q: 'garden' }).keys[0]).toBe('plain')
    expect(page({ q: 'the garden' }).keys[0]).toBe('plain')
  })

  test('newest first goes down year by year', () => {
    const years = allKeys({ q: 'garden', order: 'newest' }).map((key) =>
      Number(books.byKey(key)?.published_date),
    )
    expect(years).toEqual(years.toSorted((a, b) => b - a))
  })
})

test('a book in the reader’s language comes before one that is read a little more', () => {
  const keys = (language?: string) =>
    search(searchForm.parse({ q: 'lighthouse' }), language).editionIds.map(
      (id) => books.byEdition(id)?.id,
    )
  expect(keys()).toEqual(['songs', 'tales'])
  expect(keys('eng')).toEqual(['songs', 'tales'])
  expect(keys('ger')).toEqual(['tales', 'songs'])
})

test.each([
  ['the title begins with', 'quarry lantern', ['first', 'last']],
  ['the title has together', 'meadow ledger', ['together', 'apart']],
  ['the title has, not another title', 'kestrel orchard', ['title', 'other']],
  ['the title has, not the subjects', 'volcano basket', ['titled', 'about']],
  ['the first author wrote', 'mira quellin', ['author', 'helper']],
  ['is more of the title, small words aside,', 'heron', ['small', 'long']],
])('what %s comes before what is read more', (_, q, keys) => {
  expect(page({ q }).keys).toEqual(keys)
})

test('newest first goes by month and day as far as they are known, equal dates by popularity', () => {
  expect(page({ title: 'almanac', order: 'newest' }).keys).toEqual([
    'almanac2003-11-30',
    'almanac2003-11',
    'almanac2003-02-09',
    'wellknown',
    'almanac2003',
    'almanac1870',
    'almanac',
  ])
})

test.each([
  ['a word', { q: 'garden' }, 1400],
  ['an exact phrase', { q: 'the garden number', by: '2' }, 1400],
  ['a publisher', { publisher: 'test press' }, 1400],
  ['a genre and a date that few have', { genre: 'nature', title: 'almanac' }, 0],
])('newest first reaches as deep as it is asked for %s', (_, form, passed) => {
  const { keys } = page({ ...form, order: 'newest', page: 1 + Math.floor(passed / 18) })
  expect(keys.length).toBeGreaterThan(0)
  expect(page({ ...form, order: 'newest', page: 1000 })).toEqual({
    keys: [],
    hasMoreResults: false,
  })
})

describe('the last book a reader has', () => {
  const next = (after: string) => page({ q: 'garden', page: 2, after }).keys

  test('says where the next page begins, by either of its ids', () => {
    const keys = allKeys({ q: 'garden' })
    expect(next(keys[17] ?? '')).toEqual(keys.slice(18, 36))
    expect(next(keys[10] ?? '')).toEqual(keys.slice(11, 29))
    expect(next(`OL-${keys[10]}`)).toEqual(keys.slice(11, 29))
  })

  test('says so among the newest, without counting the pages before', () => {
    const order = 'newest'
    const keys = allKeys({ q: 'garden', order })
    const following = (place: number) => page({ q: 'garden', order, after: keys[place] ?? '' }).keys
    for (const place of [0, 17, 1100, keys.length - 1])
      expect(following(place)).toEqual(keys.slice(place + 1, place + 19))
    const first = keys.slice(0, 18)
    expect(page({ q: 'garden', order, after: 'wellread' }).keys).toEqual(first)
  })

  test('leaves it to the page number when it is no book of the answer', () => {
    expect(search(searchForm.parse({ q: 'garden', after: 'nowhere' }))).toMatchObject({
      editionIds: [],
      unanswerable: 'after',
    })
    expect(next('wellread')).toEqual(page({ q: 'garden', page: 2 }).keys)
  })
})

describe('a text too short to search everything for', () => {
  const ask = (form: Record<string, unknown>) => search(searchOrTitleForm.parse(form))
  const found = (form: Record<string, unknown>) =>
    ask(form).editionIds.map((id) => books.byEdition(id)?.id)

  test('finds the works of which it is the whole title, the best known first', () => {
    expect(found({ q: 'It' })).toEqual(['it', 'lesserit'])
    expect(found({ q: ' it ', order: 'newest' })).toEqual(['it', 'lesserit'])
    expect(found({ q: 'el' })).toEqual(['el'])
    expect(found({ q: 'it', genre: 'Nature' })).toEqual(['lesserit'])
    expect(found({ q: 'it', page: 2 })).toEqual([])
  })

  test.each(['ab', 'x', '?!'])('finds nothing when it is nobody’s: %s', (q) => {
    expect(ask({ q })).toEqual({ editionIds: [], hasMoreResults: false, unanswerable: 'q' })
  })
})

describe('ranking', () => {
  test('puts the more widely read of two equal matches first', () => {
    expect(page({ q: 'winter' }).keys).toEqual(['wellread', 'unread'])
  })

  test('puts the later published first when asked', () => {
    expect(page({ q: 'winter', order: 'newest' }).keys).toEqual(['wellread', 'unread'])
    expect(page({ q: 'nature winter', order: 'newest' }).keys).toEqual(['wellread', 'unread'])
  })

  test('knows other titles and subtitles', () => {
    expect(page({ q: 'le grand hiver' }).keys).toEqual(['wellread'])
    expect(page({ q: 'study in bindings' }).keys).toEqual(['hard'])
    expect(page({ q: 'two editions a study in bindings' }).keys).toEqual(['hard'])
  })
})

describe('editions', () => {
  test('one search result per work, its first edition', () => {
    expect(page({ q: 'two editions' }).keys).toEqual(['hard'])
  })

  test('an ISBN finds the very edition', () => {
    expect(page({ q: '9780140449136' }).keys).toEqual(['soft'])
    expect(page({ isbn: '9780306406157' }).keys).toEqual(['hard'])
  })

  test('curated sections keep their order', () => {
    expect(books.section('shown').map((book) => book.id)).toEqual(['soft', 'g1'])
    expect(books.section('absent')).toEqual([])
  })
})

test('any question is answered, in bounded time and with no work twice', () => {
  const word = fc.oneof(
    fc.constantFrom('garden', 'the', 'winter', 'number', '1', 'gardne', 'author', 'x', '"', '*'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  const question = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(
      question,
      fc.constantFrom('1', '2'),
      fc.constantFrom('relevance', 'newest'),
      (q, by, order) => {
        const form = searchForm.safeParse({ q, by, order })
        fc.pre(form.success)
        const { keys } = page({ q, by, order })
        expect(keys.length).toBeLessThanOrEqual(18)
        expect(new Set(keys).size).toBe(keys.length)
      },
    ),
    { numRuns: 60 },
  )
})

describe('building', () => {
  test('leaves nothing but the index behind', () => {
    expect(readdirSync(folder)).toEqual(['catalogue.db'])
  })

  test('that fails keeps the old index and no draft', async () => {
    const before = page({ q: 'winter' }).keys
    function* broken() {
      yield* others
      throw new Error('The source broke off.')
    }
    await expect(buildIndex(file, starterOf(broken()))).rejects.toThrow('The source broke off.')
    expect(readdirSync(folder)).toEqual(['catalogue.db'])
    expect(page({ q: 'winter' }).keys).toEqual(before)
  })

  test('in a folder that is not there says so', async () => {
    const absent = join(folder, 'absent', 'catalogue.db')
    await expect(buildIndex(absent, starterOf([]))).rejects.toThrow('unable to open database file')
    expect(existsSync(absent)).toBe(false)
  })

  test('twice from the same works gives the same answers', async () => {
    const again = join(folder, 'again.db')
    await buildIndex(again, starterOf([...others, ...gardens.toReversed()]))
    const second = openIndexReader(again)
    const titles = (r: IndexReader, q: string) => r.docs(r.match(q, 500)).map((doc) => doc.title)
    expect(titles(second, '"garden"')).toEqual(titles(reader, '"garden"'))
    second.close()
    rmSync(again)
  })
})
