import type { ImportRowState } from './import.ts'

/** A book of the sample library. */
export interface SampleBook {
  title: string
  author: string
  /** The address of its cover; '' if it has none. */
  cover: string
  pages: number
  /** In `/book/{slug}`; '' if the catalogue doesn't have it. */
  slug: string
}

/** A row of the sample file, and the book that the import found for it. */
export interface SampleRow {
  /** As the file has them. */
  title: string
  author: string
  isbn: string
  state: ImportRowState
  /** Null if the catalogue doesn't have it. */
  book: SampleBook | null
}

/** `GET /api/v1/sample`: a Goodreads file of a sample reader, imported, and their year; or null. */
export interface SampleLibrary {
  /** How many rows the file has, and how many of them the catalogue knows. */
  rows: number
  matched: number
  examples: SampleRow[]
  year: string
  books: number
  pages: number
  /** Finished books of each month, from January on. */
  months: number[]
  /** Finished books, latest first. */
  finished: SampleBook[]
  /** Titles with the highest rating. */
  best: string[]
}
