import type { PartialDate } from './partial-date.ts'

export const outcomes = ['reading', 'finished', 'dropped'] as const
export type Outcome = (typeof outcomes)[number]

/** The origin of a record: the reader in Octavo, an imported file, or a device. */
export const readingSources = ['app', 'import', 'device'] as const
type ReadingSource = (typeof readingSources)[number]

export const formats = ['print', 'ebook', 'audio'] as const
export type Format = (typeof formats)[number]

/** One time through a book. */
export interface Reading {
  id: string
  user: string
  book_key: string
  started: PartialDate
  finished: PartialDate
  outcome: Outcome
  format: Format | ''
  pages: number
  minutes: number
  /** The rating at the time, 0 to 10; 0 is unknown. */
  rating: number
  source: ReadingSource
  /** Taken from the book, and kept when it is removed. */
  title: string
  authors: string[]
  genres: string[]
  /** A MARC code, such as `eng`; '' is unknown. */
  language: string
  published: PartialDate
  series: string
  /** Whether an earlier reading finished the book, too. */
  is_reread: boolean
  /** Whether its reader leaves it out of the statistics. */
  uncounted: boolean
  created: string
  updated: string
}

/** The units of `from` and `to` in a progress log. */
export const progressUnits = ['pages', 'percent', 'minutes'] as const
export type ProgressUnit = (typeof progressUnits)[number]

export interface Quote {
  id: string
  user: string
  book_key: string
  text: string
  note: string
  page: number
  percent: number
  isPrivate: boolean
  created: string
  updated: string
}

export const goalKinds = ['books', 'pages', 'minutes'] as const
export type GoalKind = (typeof goalKinds)[number]
