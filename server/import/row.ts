import type { DateOrder, ImportedBook, ImportFormat } from '#shared/import.ts'
import type { ExportCollection } from './export-records.ts'

/** One row of a file: its source, and the book parsed from it, if any. */
export interface ParsedRow {
  source: Record<string, unknown>
  book: ImportedBook | null
  /** A sentence for the reader: why there is no book, or what of the row couldn't be used. */
  reason: string
  /** The record, if the row is from our own export. */
  own?: ExportedRecord
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
  /** The columns with dates; the order of day and month is determined from all of them. */
  dates: readonly string[]
  /** The columns with ratings whose scale must be determined; none if it is always five stars. */
  ratings?: readonly string[]
  /** Repairs rows whose cells an export has split. */
  mend?(cells: readonly string[], header: readonly string[]): readonly string[]
  /** @param outOf the highest rating of the scale */
  read(cells: Cells, order: DateOrder | undefined, outOf?: number): ImportedBook
}

/** A book with no data. */
export const emptyBook: ImportedBook = {
  title: '',
  authors: [],
  isbn: '',
  status: '',
  tags: [],
  rating: 0,
  review: '',
  spoilers: false,
  notes: '',
  format: '',
  pages: 0,
  progress: 0,
  owned: 0,
  added: '',
  readings: [],
  read_count: 0,
  source_id: '',
}
