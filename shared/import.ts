import type { Status } from './user-book.ts'

/** The files that can be brought in, by the name that `imports.format` has. */
export const importFormats = {
  goodreads: 'Goodreads',
  storygraph: 'StoryGraph',
  librarything: 'LibraryThing',
  bookwyrm: 'BookWyrm',
  openreads: 'Openreads',
  booklogr: 'BookLogr',
  jelu: 'Jelu',
  hardcover: 'Hardcover',
  calibre: 'Calibre',
  openlibrary: 'Open Library',
  octavo: 'Octavo',
  isbns: 'a list of ISBNs',
  table: 'a table',
} as const
export type ImportFormat = keyof typeof importFormats

export const importStates = ['reading', 'waiting', 'applying', 'done', 'failed', 'undone'] as const
export type ImportState = (typeof importStates)[number]

export const importRowStates = [
  'matched',
  'doubtful',
  'unmatched',
  'duplicate',
  'invalid',
  'applied',
  'skipped',
] as const
export type ImportRowState = (typeof importRowStates)[number]

/** How the dates of a file are written where it doesn't show: 03/04/2024. */
export const dateOrders = ['dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** One time through a book; dates are '', YYYY, YYYY-MM or YYYY-MM-DD. */
export interface ImportedReading {
  started: string
  finished: string
  outcome: 'reading' | 'finished' | 'dropped'
}

/** What a row of a file says about a book, in our terms. Empty is unknown. */
export interface ImportedBook {
  title: string
  authors: string[]
  isbn: string
  status: Status | ''
  /** The names that its source files it under, beyond the status. */
  tags: string[]
  /** 0 to 10, two for a star; 0 is none. */
  rating: number
  review: string
  spoilers: boolean
  notes: string
  format: 'print' | 'ebook' | 'audio' | ''
  pages: number
  /** The page the reader is on; 0 is unknown. */
  progress: number
  owned: number
  /** YYYY-MM-DD, or part of it. */
  added: string
  readings: ImportedReading[]
  /** How often it was read as far as the source knows, which may know no dates. */
  read_count: number
  source_id: string
}

/** A book that a row may mean, of a catalogue or of the reader's. */
export interface ImportCandidate {
  id: string
  title: string
  authors: string[]
  isbn: string
  genres: string[]
  images: string[]
  page_count: number
  /** Whether the reader has it already. */
  isOwned?: true
}

/** What the reader decides about a file, and what has to be asked. */
export interface ImportOptions {
  /** The shelf that the books go to; without one a shelf of `shelf_name` is made. */
  shelf?: string
  shelf_name?: string
  date_order?: DateOrder | ''
  /** Dates of the file that can be read in two ways; there as long as nobody has decided. */
  ambiguous_dates?: string[]
  /** What becomes of books the catalogue doesn't know: they come as the file has them, or not. */
  unmatched?: 'file' | 'skip'
}

/** How long an import can be taken back. */
export const importUndoDays = 30

export const maxImportFileMegabytes = 100
/** Bytes. */
export const maxImportFileBytes = maxImportFileMegabytes * 1024 * 1024

/** A record of `imports`, with how many rows are in each state. */
export interface ImportRecord extends Record<ImportRowState, number> {
  id: string
  collectionId: string
  collectionName: string
  user: string
  file: string
  format: ImportFormat | ''
  state: ImportState
  options: ImportOptions | null
  total: number
  error: string
  created: string
  updated: string
}

/** A record of `import_rows`. */
export interface ImportRow {
  id: string
  import: string
  number: number
  state: ImportRowState
  reason: string
  source: Record<string, unknown>
  read: ImportedBook | null
  candidates: ImportCandidate[] | null
  book: ImportCandidate | null
}
