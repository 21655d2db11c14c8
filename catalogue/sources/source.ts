import type { Book, ExternalSource, SearchForm } from '#shared/book.ts'

/** A book as another catalogue describes it: cleaned, with an ISBN whose check digit is right. */
export type FoundBook = Omit<Book, 'slug'>

/** One page of what another catalogue found. */
export interface FoundPage {
  books: FoundBook[]
  hasMore: boolean
}

/**
 * A catalogue somewhere else. Every call may throw a SourceFailure; what is not there is null or
 * empty.
 */
export interface Source {
  name: ExternalSource
  /** @param page of 18, from 1 */
  search(form: SearchForm, page: number): Promise<FoundPage>
  /** @param isbn13 13 digits */
  byIsbn(isbn13: string): Promise<FoundBook | null>
  /** @param id the catalogue's own, `ids.google` or `ids.openlibrary`; null for another's */
  byId(id: string): Promise<FoundBook | null>
  /** Editions of the same work, as far as the catalogue keeps works. */
  editions?(work: string): Promise<FoundBook[]>
}
