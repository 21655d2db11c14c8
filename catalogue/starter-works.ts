import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StarterBook, StarterReference } from '#catalogue/starter/starter.ts'
import { starterBooks, starterSeries } from '#catalogue/starter/starter.ts'
import { withMostRead } from '#catalogue/starter/most-read/works.ts'
import type { Starter } from './starter/build-index.ts'
import type { CatalogueWork } from './index/work.ts'

/** The number of books in each curated section. */
const sectionSize = 60
/** The most volumes of one series, which would otherwise fill the section. */
const maxPerSeries = 3

/** The books that ship with Octavo, for the index. */
export function starter(): Starter {
  const books = starterBooks()
  const works = withMostRead(starterWorks(books))
  const curated = curatedSections(books)
  return { works, curated, version: starterVersion() }
}

function starterId(book: StarterBook): string {
  return `st${book.isbn13}`
}

/** The starter books as works. */
function starterWorks(books: StarterBook[]): CatalogueWork[] {
  const ofSeries = starterSeries()
  return books.map((book) => ({
    title: book.title,
    ...referenceOf(book, book.list === 'manga' ? (ofSeries[book.series] ?? {}) : {}),
    authors: book.authors,
    author_names: book.author_names,
    genres: book.genres,
    ...(book.list === 'manga' && {
      series: [{ name: book.series, position: String(book.volume), by: '' }],
    }),
    description: book.description,
    // Maps popularity from 1 to 100 to numbers of readers as in other sources: 16 steps are a
    // factor of ten.
    readers: Math.round(10 ** (book.popularity / 16)),
    editions: [
      {
        id: starterId(book),
        ids: {},
        isbn13: book.isbn13,
        image_links: [],
        page_count: book.pages,
        published_date: book.published,
        publisher: book.publisher,
        language: book.language,
      },
    ],
  }))
}

/** The reference data of a book and its series. */
function referenceOf(
  book: StarterBook,
  series: StarterReference,
): Pick<CatalogueWork, 'other_titles' | 'details' | 'about'> {
  const both = [book, series]
  return {
    other_titles: [
      ...(book.list === 'manga' ? [book.series, `${book.series} ${String(book.volume)}`] : []),
      ...(book.other_titles ?? []),
      ...both.flatMap(({ titles }) => Object.values(titles ?? {}).flat()),
    ],
    details: both.flatMap(({ characters, places, time, themes }) =>
      [characters ?? [], places ?? [], time ?? [], themes ?? []].flat(),
    ),
    about: both.flatMap(({ plot }) => plot ?? []).join(' '),
  }
}

/**
 * The curated sections of Explore: the most read books of each list, with only the first volumes of
 * a series.
 *
 * @returns edition ids by section, best known first
 */
function curatedSections(books: StarterBook[]): Record<'classics' | 'manga', string[]> {
  const section = (list: StarterBook['list']) => {
    const taken = new Map<string, number>()
    return books
      .filter((book) => book.list === list)
      .sort((a, b) => b.popularity - a.popularity)
      .filter((book) => {
        if (book.list !== 'manga') return true
        const before = taken.get(book.series) ?? 0
        taken.set(book.series, before + 1)
        return book.volume <= maxPerSeries && before < maxPerSeries
      })
      .slice(0, sectionSize)
      .map(starterId)
  }
  return { classics: section('classics'), manga: section('manga') }
}

/** Everything the works depend on. At each start, hashing these files is faster than making the works. */
const sources = [
  ...['authors', 'classics', 'manga', 'series'].map((name) => `starter/${name}.json`),
  ...['books.tsv', 'books.ts', 'works.ts'].map((name) => `starter/most-read/${name}`),
  'starter/starter.ts',
  'starter-works.ts',
].map((path) => new URL(path, import.meta.url))

/** @returns a hash of the starter's files and of the code that reads them */
export function starterVersion(): string {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(source))
  return `starter ${hash.digest('hex')}`
}
