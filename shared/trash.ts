/** Days for which removed records can be restored. */
export const trashDays = 30

/** The collections whose records can be restored. */
export const trashCollections = [
  'bookshelves',
  'user_books',
  'activities',
  'readings',
  'quotes',
] as const
export type TrashCollection = (typeof trashCollections)[number]

/** The most records to restore in one request, as many as one batch can remove. */
export const maxRestored = 50

/** The records of one collection to restore. */
export interface RestoreForm {
  collection: TrashCollection
  ids: string[]
}

/** One line of the "Recently removed" list. */
export interface TrashItem {
  collection: TrashCollection
  /** The record's id, which it keeps when it is restored. */
  id: string
  /** The title (of the book, for a reading), a shelf's name, an entry's label or a quote's text. */
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
  /** The number of books removed with a shelf. */
  books: number
  /** ISO 8601. */
  removed: string
  /** When it is deleted permanently. ISO 8601. */
  ends: string
}
