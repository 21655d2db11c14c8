import type { Activity } from './activity.ts'
import type { Reading } from './reading.ts'

/** Days for which removed records can be restored. */
export const trashDays = 30

/** The most records to restore in one request, as many as one batch can remove. */
export const maxRestored = 50

/** The records of one collection to restore. */
export interface RestoreForm {
  /** Name of the collection. */
  collection: string
  ids: string[]
}

/** What an entry of the timeline was, to say it in any language. */
interface RemovedEntry extends Pick<Activity, 'event_type'> {
  data: Pick<Activity['data'], 'title' | 'shelf' | 'progress' | 'percent'>
}

/** One line of the "Recently removed" list. */
export interface TrashItem {
  /** Name of the collection. */
  collection: string
  /** The record's id, which it keeps when it is restored. */
  id: string
  /** The title (of the book, for a reading or an entry), a shelf's name or a quote's text. */
  name: string
  /** The book's shelf; empty for others. */
  shelf: string
  authors: string[]
  cover: string
  /** The title of a quote's book; empty for others. */
  quoted: string
  /** The dates of a reading, as far as known; empty for others. */
  started: string
  finished: string
  /** How a reading ended; empty for others. */
  outcome: Reading['outcome'] | ''
  /** The number of books removed with a shelf. */
  books: number
  /** What an entry of the timeline was; null for others. */
  entry: RemovedEntry | null
  /** ISO 8601. */
  removed: string
  /** When it is deleted permanently. ISO 8601. */
  ends: string
}
