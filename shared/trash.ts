/** Days for which a reader can have back what was removed. */
export const trashDays = 30

/** What can be removed and restored, by the name of its collection. */
export const trashCollections = [
  'bookshelves',
  'user_books',
  'activities',
  'readings',
  'quotes',
] as const
export type TrashCollection = (typeof trashCollections)[number]

/** Restored in one request at most: as many as one batch may remove. */
export const maxRestored = 50

/** Records of one collection that are to come back. */
export interface RestoreForm {
  collection: TrashCollection
  ids: string[]
}

/** One line of the "Recently removed" list. */
export interface TrashItem {
  collection: TrashCollection
  /** Of the record; it has the same again once it is restored. */
  id: string
  /** A title (a reading has its book's), a shelf's name, the sentence of an entry or a quote's text. */
  name: string
  /** Where it was: a book's shelf; empty for others. */
  shelf: string
  authors: string[]
  cover: string
  /** Title of the book that a quote is from; empty for others. */
  quoted: string
  /** When a reading began and ended, as far as it is known; empty for others. */
  started: string
  finished: string
  /** Books that went with a shelf. */
  books: number
  /** ISO 8601. */
  removed: string
  /** From when on it is gone for good. ISO 8601. */
  ends: string
}
