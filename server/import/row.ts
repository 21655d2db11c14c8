import type { ImportedBook, ImportFormat, ImportReason } from '#shared/import.ts'
import { cutText } from '#shared/text.ts'
import type { ExportCollection } from './export-records.ts'
import type { RowReader } from './row-reader.ts'

/** One row of a file: its source, and the book parsed from it, if any. */
export interface ParsedRow {
  source: Record<string, unknown>
  book: ImportedBook | null
  /** Why there is no book. */
  reason: ImportReason | null
  /** What couldn't be read, or was read as something else, each with its column and value. */
  warnings?: ImportReason[]
  /** The record, if the row is from our own export. */
  own?: ExportedRecord
}

/** A row that is ready to be stored. */
export interface SizedRow extends ParsedRow {
  /** Bytes of the source and the book as JSON. */
  bytes: number
}

/** A record of our own export, with the fields to restore. */
export interface ExportedRecord {
  collection: ExportCollection
  values: Record<string, unknown>
}

/** A row's cells by column name. */
export type Cells = Record<string, string>

/** How to read one format. */
export interface Format {
  format: ImportFormat
  /** Columns that every file of this format has. */
  has: readonly string[]
  /** Repairs rows whose cells an export has split. */
  mend?(cells: readonly string[], header: readonly string[]): readonly string[]
  /** Whether a row is a heading, as lists in notes have. */
  isHeading?(cells: Cells): boolean
  /** Reads a row's cells; the reader notes what it can't use. */
  read(row: RowReader): ImportedBook
}

/** The most of what a book may list, and characters of each name. A file beyond that isn't a library. */
const listed = { authors: 100, tags: 1000, readings: 1000, characters: 500 }

/** @returns the book with lists and names cut to what a library can hold */
export function boundBook(book: ImportedBook): ImportedBook {
  const names = (all: readonly string[], most: number) =>
    all.slice(0, most).map((name) => cutText(name, listed.characters))
  return {
    ...book,
    authors: names(book.authors, listed.authors),
    tags: names(book.tags, listed.tags),
    readings: book.readings.slice(0, listed.readings),
    status_name: cutText(book.status_name, listed.characters),
    source_id: cutText(book.source_id, listed.characters),
  }
}

/** A book with no data. */
export const emptyBook: ImportedBook = {
  title: '',
  authors: [],
  isbn: '',
  status: '',
  status_name: '',
  tags: [],
  rating: 0,
  review: '',
  spoilers: false,
  notes: '',
  format: '',
  pages: 0,
  duration: 0,
  isPrivate: false,
  progress: 0,
  owned: 0,
  added: '',
  readings: [],
  read_count: 0,
  source_id: '',
}
