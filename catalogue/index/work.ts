import type { Book } from '#shared/book.ts'

/** What the index is built from: a work with its editions, the one to show first. */
export interface CatalogueWork {
  /** Open Library's key of the work, such as OL45804W, where it is known. */
  openlibrary?: string
  title: string
  subtitle?: string
  /** Original, translated and series titles under which readers also look for it. */
  other_titles: string[]
  authors: string[]
  /** The authors' names in other languages and scripts. */
  author_names?: string[]
  genres: string[]
  /** People, places, times and themes: searched in descriptions of books, but not shown as genres. */
  details?: string[]
  description: string
  /** More of what happens, searched but not shown as the description. */
  about?: string
  /** How many people read or shelved it, as far as the source knows. */
  readers: number
  editions: [CatalogueEdition, ...CatalogueEdition[]]
}

export interface CatalogueEdition extends Pick<
  Book,
  'id' | 'ids' | 'image_links' | 'page_count' | 'published_date' | 'publisher' | 'language'
> {
  /** The edition's own title; the work's when it has no other. */
  title?: string
  /** 13 digits with a right check digit. */
  isbn13?: string
}
