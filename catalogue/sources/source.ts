import type { SeriesStatement } from '../text/series-statement.ts'
import type { Book, ExternalSource, SearchForm } from '#shared/book.ts'

/** A book from another catalogue, cleaned, with a valid ISBN. */
export interface FoundBook extends Omit<Book, 'slug'> {
  /** What it states of its place in series, which isn't known to be one. */
  series_statements?: SeriesStatement[]
}

/** One page of another catalogue's results. */
export interface FoundPage {
  books: FoundBook[]
  hasMore: boolean
}

/**
 * An external catalogue. Every call may throw a SourceFailure; missing results are null or empty.
 */
export interface Source {
  name: ExternalSource
  /** @param page of 18, from 1 */
  search(form: SearchForm, page: number): Promise<FoundPage>
  /** @param isbn13 13 digits */
  byIsbn(isbn13: string): Promise<FoundBook | null>
  /** The most ISBNs that {@link Source.byIsbns} takes. */
  isbnsAtOnce: number
  /** Editions for completing books: those that it has, in any order. @param isbns 13 digits each */
  byIsbns(isbns: readonly string[]): Promise<FoundBook[]>
  /** @param id `ids.google` or `ids.openlibrary`; null for another catalogue's */
  byId(id: string): Promise<FoundBook | null>
  /** Editions of the same work, if the catalogue has works. */
  editions?(work: string): Promise<FoundBook[]>
}
