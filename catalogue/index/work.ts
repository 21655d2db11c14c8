import type { Book } from '#shared/book.ts'
import type { SeriesStatement } from '../text/series-statement.ts'

/** A work with its editions, the one to show first; the input of the index. */
export interface CatalogueWork {
  /** Open Library's key of the work, such as OL45804W, if known. */
  openlibrary?: string
  title: string
  subtitle?: string
  /** Original, translated and series titles that readers search for. */
  other_titles: string[]
  authors: string[]
  /** The authors' names in other languages and scripts. */
  author_names?: string[]
  genres: string[]
  /** People, places, times and themes: searched in descriptions of books, but not shown as genres. */
  details?: string[]
  description: string
  /** Further descriptions, searched but not shown. */
  about?: string
  /** The series it belongs to, the main one first. */
  series?: SeriesPlace[]
  /** What its editions state of its place in series, which counts where several works agree. */
  series_statements?: SeriesStatement[]
  /** How many people read or shelved it, according to the source. */
  readers: number
  editions: [CatalogueEdition, ...CatalogueEdition[]]
}

/** A place in a series. */
export interface SeriesPlace {
  name: string
  /** As the series counts, such as "2", "1.5" or "1-3"; empty if it has no number. */
  position: string
  /** The author, for a series that shares its name with a better known one; '' otherwise. */
  by: string
}

export interface CatalogueEdition extends Pick<
  Book,
  'id' | 'ids' | 'image_links' | 'page_count' | 'published_date' | 'publisher' | 'language'
> {
  /** The edition's own title; absent if it is the work's. */
  title?: string
  /** 13 digits with a valid check digit. */
  isbn13?: string
}
