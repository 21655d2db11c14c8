import type { Book } from './book.ts'
import type { NamedPage } from './series.ts'
import { displayWidth, foldText } from './text.ts'
import type { UserBook } from './user-book.ts'

/** The minimum length; shorter texts match too much. Full-width characters count as two. */
export const minSuggestLength = 2

/** One of the reader's own books, with the data of a list row. */
export type OwnBook = Pick<
  UserBook,
  | 'id'
  | 'title'
  | 'authors'
  | 'isbn'
  | 'image'
  | 'images'
  | 'status'
  | 'progress'
  | 'progress_percent'
  | 'page_count'
>

/** A catalogue book, with the data of a list row. */
export type SuggestedBook = Pick<
  Book,
  'id' | 'title' | 'authors' | 'image_links' | 'published_date' | 'isbns' | 'slug'
>

/** `GET /api/v1/book-info/suggest`: suggestions while typing, best first. */
export interface Suggestions {
  /** The caller's own books; empty for visitors. */
  own: OwnBook[]
  /** Catalogue books, without those in `own`. */
  books: SuggestedBook[]
  /** Series and authors that the text names. */
  series: NamedPage[]
  authors: NamedPage[]
}

/** Where the search text was found. */
export const rememberFields = ['title', 'tags', 'notes', 'review', 'quote', 'description'] as const

/** One of the reader's own books, with the text it was found by. */
export interface RememberedBook extends OwnBook {
  found: { where: (typeof rememberFields)[number]; sentence: string }
}

/** The minimum length; shorter texts are in nearly every note. */
export const minRememberLength = 3

/** @returns whether the text is long enough to search one's own books */
export function canRemember(text: string): boolean {
  return displayWidth(foldText(text)) >= minRememberLength && displayWidth(text) <= 255
}
