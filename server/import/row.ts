import type { DateOrder, ImportedBook, ImportFormat } from '#shared/import.ts'
import type { ExportCollection } from './export-records.ts'

/** One row of a file: as it stood, and what it says; `wrong` where it says nothing we can use. */
export interface ParsedRow {
  source: Record<string, unknown>
  book: ImportedBook | null
  /** A sentence; for a row with a book it says what of the row couldn't be used. */
  reason: string
  /** A record of our own export, which becomes one of the same collection. */
  own?: ExportedRecord
}

/** A record of our own export, with the fields that are brought back. */
export interface ExportedRecord {
  collection: ExportCollection
  values: Record<string, unknown>
}

/** Rows with their cells by the names of the columns. */
export type Cells = Record<string, string>

/** How to read one format. */
export interface Format {
  format: ImportFormat
  /** Columns that a file of this format has, all of them. */
  has: readonly string[]
  /** The columns that hold dates; the order of days and months is decided from all of them. */
  dates: readonly string[]
  /** The columns of ratings on a scale that shows in all of them; none where it is always five stars. */
  ratings?: readonly string[]
  /** Puts cells right that an export has torn apart. */
  mend?(cells: readonly string[], header: readonly string[]): readonly string[]
  /** @param outOf the highest rating of the scale */
  read(cells: Cells, order: DateOrder | undefined, outOf?: number): ImportedBook
}

/** A book about which nothing is known. */
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
