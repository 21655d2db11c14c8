/** Readers per page of the directory. */
export const directoryPageSize = 15

/** Minimum length in characters; shorter texts would match everybody. */
export const minSearchLength = 2

/** The orders of the directory; the last is for signed-in readers. */
export const directorySorts = ['newest', 'a-z', 'similar'] as const
export type DirectorySort = (typeof directorySorts)[number]

/** The minimum of common books for similar taste. */
export const minCommonBooks = 2

/** A reader in the directory; counts and books are those of public shelves. */
export interface DirectoryEntry {
  id: string
  collectionId: string
  username: string
  name: string
  avatar: string
  /** Distinct books. */
  books_count: number
  shelves_count: number
  /** Up to three, newest first. */
  books: DirectoryBook[]
  /** Why the reader's taste is similar; absent in the other orders. */
  taste?: Taste | undefined
}

/** What two readers share on public shelves. */
export interface Taste {
  /** Distinct books. */
  in_common: number
  /** The best book that both rated the same, with at least 8; null if there is none. */
  both_gave: { title: string; rating: number } | null
}

export interface DirectoryBook {
  title: string
  authors: string[]
  /** Addresses of covers, best first. */
  images: string[]
  isbn: string
}

/** One page of a list of the product's own API. */
export interface Page<T> {
  items: T[]
  page: number
  perPage: number
  totalItems: number
  totalPages: number
}

/** @returns the page of a list of so many items */
export function toPage<T>(items: T[], page: number, perPage: number, totalItems: number): Page<T> {
  return { items, page, perPage, totalItems, totalPages: Math.ceil(totalItems / perPage) }
}
