import type { RuleParams } from './rule.ts'
import type importReasons from './sentences/import-reasons.json'
import { statuses, type BookFacts, type Status } from './user-book.ts'

/** The formats that can be imported, as in `imports.format`. */
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
  libby: 'Libby',
  kindle: 'Kindle',
  kobo: 'Kobo',
  koreader: 'KOReader',
  applebooks: 'Apple Books',
  readwise: 'Readwise',
  octavo: 'Octavo',
  isbns: 'a list of ISBNs',
  table: 'a table',
} as const
export type ImportFormat = keyof typeof importFormats

export const importStates = [
  'reading',
  'waiting',
  'applying',
  'done',
  'failed',
  'undoing',
  'undone',
] as const
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

/** The order of ambiguous dates such as 03/04/2024. */
export const dateOrders = ['dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

/** The kinds of names in a file: for a book's status, and for its shelves, collections and tags. */
export const importLabelKinds = ['status', 'tag'] as const

/** A status, shelf, collection or tag of a file, under its name there. */
export interface ImportLabel {
  kind: (typeof importLabelKinds)[number]
  /** Empty for the books without a status. */
  name: string
  /** How many rows have it. */
  rows: number
  /** Titles of a few of them. */
  titles: string[]
  /** What the name means as a status; '' if it means none that we know. */
  status: Status | ''
}

/** What a label becomes on the reader's books: a status, a tag, a shelf, or nothing. */
export const importLabelTargets = [...statuses, 'tag', 'shelf', 'out'] as const
export type ImportLabelTarget = (typeof importLabelTargets)[number]

/** @returns the key of a label in {@link ImportOptions.becomes} */
export const importLabelKey = ({ kind, name }: Pick<ImportLabel, 'kind' | 'name'>): string =>
  `${kind}:${name}`

/** A reading; dates are '', YYYY, YYYY-MM or YYYY-MM-DD. */
export interface ImportedReading {
  started: string
  finished: string
  outcome: 'reading' | 'finished' | 'dropped'
}

/** A passage that a reader has marked in a book. */
export interface ImportedQuote {
  text: string
  note: string
  /** 0 is unknown. */
  page: number
  /** How far into the book it is; 0 is unknown. */
  percent: number
  /** When it was marked: YYYY-MM-DD, or a timestamp; '' is unknown. */
  at: string
  /** What was marked there before, if the reader has changed where it begins or ends. */
  earlier?: string[]
}

/** A row's book, in our terms. Empty fields are unknown. */
export interface ImportedBook {
  title: string
  authors: string[]
  isbn: string
  status: Status | ''
  /** The source's own word for the status, such as the name of an exclusive shelf. */
  status_name: string
  /** The source's shelves or tags, beyond the status. */
  tags: string[]
  /** 0 to 10, two for a star; 0 is none. */
  rating: number
  review: string
  spoilers: boolean
  notes: string
  format: 'print' | 'ebook' | 'audio' | ''
  pages: number
  /** Minutes of an audiobook; 0 is unknown. */
  duration: number
  isPrivate: boolean
  /** The page the reader is on; 0 is unknown. */
  progress: number
  owned: number
  /** YYYY-MM-DD, or part of it. */
  added: string
  readings: ImportedReading[]
  /** How often it was read, according to the source, which may lack the dates. */
  read_count: number
  source_id: string
  /** What the file says about the book itself. */
  facts?: BookFacts
  /** How far the reader is, if the file doesn't say the page. */
  percent?: number
  quotes?: ImportedQuote[]
}

/** A book that a row may mean, from the catalogue or the reader's library. */
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

/** The reader's decisions about a file, and open questions. */
export interface ImportOptions {
  /** The shelf for the books; without one, a shelf named `shelf_name` is created. */
  shelf?: string
  shelf_name?: string
  date_order?: DateOrder | ''
  /** Ambiguous dates of the file; present until the reader has decided. */
  ambiguous_dates?: string[]
  /** Whether books that aren't in the catalogue are added as in the file or skipped. */
  unmatched?: 'file' | 'skip'
  /** The status of books for which the file has none that we know; without it, `planning`. */
  no_status?: Status
  /**
   * What the file's labels become, by {@link importLabelKey}. Without a choice, a name that means a
   * status becomes that, and any other a tag.
   */
  becomes?: Record<string, ImportLabelTarget>
}

/** How long an import can be undone. */
export const importUndoDays = 30

export const maxImportFileMegabytes = 100
/** Bytes. */
export const maxImportFileBytes = maxImportFileMegabytes * 1024 * 1024

/** Why a file or one of its rows was not imported as it is, by the key of its sentence. */
export interface ImportReason {
  key: keyof typeof importReasons
  params?: RuleParams
}

/** The same as it is stored, where the key can also be that of a rule. */
export interface ImportMessage {
  key: string
  params?: RuleParams
}

/** A record of `imports`, with the number of rows in each state. */
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
  /** Bytes that its rows take; only the server knows. */
  stored: number
  /** The ids of the shelves it made, with spaces between; only the server knows. */
  made: string
  /** In English; `message` says it in other languages. */
  error: string
  message: ImportMessage | null
  /** How many rows have a warning, by its key. */
  warnings: Partial<Record<ImportReason['key'], number>> | null
  /** Columns with values that were not read. */
  unused: string[] | null
  /** The file's own statuses, shelves, collections and tags, until the import has ended. */
  labels: ImportLabel[] | null
  created: string
  updated: string
}

/**
 * What of a row couldn't be read, or was read as something else. Its parameters are the column and
 * the value.
 */
export interface ImportWarning extends ImportMessage {
  /** In English. */
  reason: string
}

/** A record of `import_rows`. */
export interface ImportRow {
  id: string
  import: string
  number: number
  state: ImportRowState
  /** In English; `message` says it in other languages. */
  reason: string
  message: ImportMessage | null
  warnings: ImportWarning[] | null
  /** Whether the reader has decided the row. */
  settled: boolean
  source: Record<string, unknown>
  read: ImportedBook | null
  candidates: ImportCandidate[] | null
  book: ImportCandidate | null
}
