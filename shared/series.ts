import type { Book } from './book.ts'

/** A series or an author, as their pages are linked. */
export interface NamedPage {
  /** Made from the name, so that it survives another index. */
  id: string
  name: string
}

/** A book's place in a series. */
export interface BookSeries extends NamedPage {
  /** As the series counts, such as "2", "1.5" or "1-3"; empty if it has no number. */
  position: string
}

/** `GET /api/v1/series/{id}`. */
export interface SeriesBooks {
  series: NamedPage & { authors: string[] }
  entries: { position: string; book: Book }[]
}

/** `GET /api/v1/library/series`: the series that the caller has books of, in the caller's editions. */
export interface OwnSeries {
  series: OwnSeriesBooks[]
  page: number
  hasMore: boolean
}

/** A series with the id of the caller's record of each book, which may be another edition. */
export interface OwnSeriesBooks extends SeriesBooks {
  entries: (SeriesBooks['entries'][number] & { own: string })[]
}

/** `GET /api/v1/library/series/{id}`: the ids of books and of the caller's records of them. */
export interface OwnInSeries {
  books: { book: string; own: string }[]
}

/** `GET /api/v1/library/next-in-series`: what comes next in the series that the caller has begun. */
export interface NextInSeries {
  /** The series of what was finished last comes first. */
  items: (SeriesBooks['entries'][number] & {
    series: SeriesBooks['series']
    /** The id of the caller's record of the book; empty without one. */
    own: string
  })[]
}

/** The most series of which the next volume is told. */
export const maxNextInSeries = 6

/** Series in one page of them. */
export const ownSeriesPageSize = 8

/** `GET /api/v1/authors/{id}`. */
export interface AuthorBooks {
  author: NamedPage
  books: Book[]
  /** How many books there are on all pages. */
  total: number
  hasMore: boolean
}

/** Books in one page of an author's. */
export const authorPageSize = 24

/** @returns the address of a series' page */
export const seriesPath = ({ id, name }: NamedPage) =>
  `/series/${encodeURIComponent(id)}/${nameSlug(name)}`

/** @returns the address of an author's page */
export const authorPath = ({ id, name }: NamedPage) =>
  `/author/${encodeURIComponent(id)}/${nameSlug(name)}`

const nameSlug = (name: string) =>
  encodeURIComponent(name.trim().replaceAll(/[\s/]+/g, '-')).toLowerCase()

/** @returns whether a position is one volume's: a number, and no part or collection */
export const isVolume = (position: string) => /^\d+(\.\d+)?$/.test(position)

/**
 * Sorts places: volumes by number, then parts and collections by what they begin with, then those
 * without a number.
 */
export function comparePlaces(a: string, b: string): number {
  const kindOf = (position: string) => (isVolume(position) ? 0 : position === '' ? 2 : 1)
  return kindOf(a) - kindOf(b) || Number.parseFloat(a) - Number.parseFloat(b) || a.localeCompare(b)
}

/** @returns the positions in order, three or more whole numbers that follow each other as "2–100" */
export function inRanges(positions: readonly string[]): string[] {
  const runs: string[][] = []
  for (const position of positions) {
    const run = runs.at(-1)
    if (run && Number(run.at(-1)) + 1 === Number(position)) run.push(position)
    else runs.push([position])
  }
  return runs.flatMap((run) => (run.length > 2 ? `${run[0] ?? ''}–${run.at(-1) ?? ''}` : run))
}

/** @returns how many whole numbers the volumes reach; 0 if there are none */
export function volumesOf({ entries }: SeriesBooks): number {
  const numbers = entries.map(({ position }) => (isVolume(position) ? Number(position) : 0))
  return Math.floor(Math.max(0, ...numbers))
}

/** @returns the numbers before the last volume of which the catalogue has no volume */
export function absentVolumes(found: SeriesBooks): string[] {
  const known = new Set(found.entries.map(({ position }) => Number(position || NaN)))
  const numbers = Array.from({ length: volumesOf(found) }, (_, n) => n + 1)
  return numbers.filter((number) => !known.has(number)).map(String)
}

/**
 * What comes next in a series.
 *
 * @param isRead whether a reader has finished a book
 * @returns the first whole volume after the last one they have finished, or the first of all
 */
export function nextOf(
  { entries }: SeriesBooks,
  isRead: (book: Book) => boolean,
): SeriesBooks['entries'][number] | undefined {
  const volumes = entries.filter(({ position }) => Number.isInteger(Number(position || NaN)))
  return volumes[volumes.findLastIndex(({ book }) => isRead(book)) + 1]
}
