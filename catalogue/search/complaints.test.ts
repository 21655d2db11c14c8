import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchForm } from '#shared/search-form.ts'
import { copyStarterIndex } from '#tests/prepared.ts'
import type { Catalogue, CatalogueWork } from '../index.ts'
import { openCatalogue } from '../index.ts'
import type { CatalogueEdition } from '../index/work.ts'

/** What readers wrote of the search of other book sites, on the starter catalogue and a few more. */

const folder = mkdtempSync(join(tmpdir(), 'octavo-complaints-'))
let catalogue: Catalogue

function edition(id: string, rest: Partial<CatalogueEdition> = {}): CatalogueEdition {
  return {
    id,
    ids: {},
    image_links: [],
    page_count: 0,
    published_date: '',
    publisher: '',
    language: 'eng',
    ...rest,
  }
}

function work(id: string, title: string, author: string, rest: Partial<CatalogueWork> = {}) {
  return {
    title,
    other_titles: [],
    authors: [author],
    genres: [],
    description: '',
    readers: 100,
    editions: [edition(id)],
    ...rest,
  } satisfies CatalogueWork
}

/** Many books that hold every word of the wanted ones somewhere, and are read by more people. */
const louder = Array.from({ length: 40 }, (_, i) =>
  work(`loud${i}`, `Don't Be Afraid of the Evil There, Volume ${i}`, `Writer ${i}`, {
    readers: 5000,
    genres: ['Who', 'Wax', 'Lantern'],
    other_titles: ['The Child of Wax'],
  }),
)
const wanted = [
  work('who', 'Who', 'Author One'),
  work('there', 'There There', 'Author Two'),
  work('evil', "Don't Be Evil", 'Author Three'),
  work('wax', 'The Wax Child', 'Author Four'),
  work('lantern', 'Lantern', 'Author Five'),
  work('textbook', 'A Textbook of Science', 'Author Six', { readers: 0 }),
  work('isbn979', 'Thirteen Digits', 'Author Seven', {
    editions: [edition('isbn979', { isbn13: '9791032305690' })],
  }),
  work('many', 'The Lamp Lit', 'Author Eight', {
    editions: [
      edition('many'),
      ...Array.from({ length: 60 }, (_, i) =>
        edition(`many${i}`, { title: `The Lamp Lit, printing ${i}`, publisher: `House ${i}` }),
      ),
    ],
  }),
  work('lamp', 'The Lamp Lit Companion', 'Author Nine', { readers: 300 }),
  work('new', 'Garden of Tides', 'Author Ten', {
    editions: [edition('new', { published_date: '2026-05-01' })],
  }),
  work('old', 'Garden of Tides Revisited', 'Author Eleven', {
    readers: 9000,
    editions: [edition('old', { published_date: '1950' })],
  }),
]

beforeAll(async () => {
  await copyStarterIndex(folder)
  catalogue = await openCatalogue({ folder, workers: 1 })
  await catalogue.learn('test', [...louder, ...wanted])
})
afterAll(async () => {
  await catalogue.close()
  rmSync(folder, { recursive: true })
})

const find = async (form: Record<string, unknown>) =>
  (await catalogue.search(searchForm.parse(form))).books
const firstId = async (form: Record<string, unknown>) => (await find(form))[0]?.id
const firstTitle = async (form: Record<string, unknown>) => (await find(form))[0]?.title

describe('Open Library', () => {
  test('#6923: one missing letter finds nothing', async () => {
    expect(await firstTitle({ q: 'wuthering heghts' })).toBe('Wuthering Heights')
    expect(await firstTitle({ q: 'pride and prejudce' })).toBe('Pride and Prejudice')
  })

  test('#6635: numbers in words and in digits, "Vol." and "Volume" are not the same', async () => {
    expect(await firstTitle({ q: 'death note volume 1' })).toMatch(/^Death Note, Vol. 1\b/)
    expect(await firstTitle({ q: 'death note volume one' })).toMatch(/^Death Note, Vol. 1\b/)
    expect(await firstTitle({ q: '100 years of solitude' })).toBe('One Hundred Years of Solitude')
  })

  test('#9021: "J.R.R. Tolkein" loses the main work', async () => {
    expect((await find({ q: 'J.R.R. Tolkein' }))[0]?.authors).toEqual(['J. R. R. Tolkien'])
    expect(await firstTitle({ q: 'hobbit J.R.R. Tolkein' })).toContain('The Hobbit')
  })

  test('#8628: popularity puts Frankenstein on "science textbook"', async () => {
    const found = await find({ q: 'science textbook' })
    expect(found[0]?.id).toBe('textbook')
    expect(found.map((book) => book.title)).not.toContain('Frankenstein')
  })

  test('#10969: a work sinks because it has many editions', async () => {
    expect(await firstId({ q: 'the lamp lit' })).toBe('many')
  })
})

describe('BookWyrm', () => {
  test('#1196: titles of stop words cannot be found', async () => {
    expect(await firstId({ q: 'there there' })).toBe('there')
    expect(await firstId({ title: 'who' })).toBe('who')
  })

  test('#4146: the exact title is not among thirty results', async () => {
    expect(await firstId({ q: "Don't Be Evil" })).toBe('evil')
    expect(await firstId({ q: 'dont be evil' })).toBe('evil')
  })

  test('#3718: an ISBN that begins with 979 is refused', async () => {
    expect(await firstId({ q: '979-10-323-0569-0' })).toBe('isbn979')
    expect(await firstId({ isbn: '9791032305690' })).toBe('isbn979')
  })
})

test('Hardcover: a title of one common word returns nothing', async () => {
  expect(await firstId({ q: 'lantern' })).toBe('lantern')
  expect(await firstId({ q: 'lantern author five' })).toBe('lantern')
})

test('BookOrbit #1490: guesses are mixed into exact results', async () => {
  expect((await find({ q: 'the wax child' }))[0]?.id).toBe('wax')
  expect((await find({ q: 'the wax child author four' })).map((book) => book.id)).toEqual(['wax'])
})

describe('Goodreads', () => {
  test('forgives no mistake', async () => {
    expect(await firstTitle({ q: 'dostoyevski crime and punishmnet' })).toBe('Crime and Punishment')
  })

  test('forgives no title that was only heard', async () => {
    expect(await firstTitle({ q: 'cantabury tails' })).toBe('The Canterbury Tales')
    expect(await firstTitle({ q: 'lay miserab' })).toBe('Les Misérables')
  })

  test('forgives no mistake in a publisher’s name', async () => {
    const ids = async (publisher: string) => (await find({ publisher })).map(({ id }) => id)
    const penguin = await ids('Penguin')
    expect(penguin.length).toBeGreaterThan(1)
    for (const written of ['Pengiun', 'Pneguin', 'Ppenguin', 'Epnguin'])
      expect(await ids(written)).toEqual(penguin)
    expect(await ids('Qvxzy')).toEqual([])
  })

  test('new books are hard to find', async () => {
    expect(await firstId({ q: 'garden of tides', order: 'newest' })).toBe('new')
  })
})
