import type { Book } from './book.ts'
import { displayWidth, foldText } from './text.ts'
import type { UserBook } from './user-book.ts'

/** Texts shorter than this find too much to be of use; a full-width character counts as two. */
export const minSuggestLength = 2

/** A book of the reader's own, as much as a line of a list shows. */
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

/** A book of the catalogue, as much as a line of a list shows. */
export type SuggestedBook = Pick<
  Book,
  'id' | 'title' | 'authors' | 'image_links' | 'published_date' | 'isbns' | 'slug'
>

/** `GET /api/v1/book-info/suggest`: what a reader may be typing, best first. */
export interface Suggestions {
  /** On the caller's own shelves; none for a visitor. */
  own: OwnBook[]
  /** Of the catalogue, without those of `own`. */
  books: SuggestedBook[]
}

/** Where the search text was found. */
export const rememberFields = ['title', 'tags', 'notes', 'review', 'quote', 'description'] as const

/** A book of the reader's own, with what it is remembered by. */
export interface RememberedBook extends OwnBook {
  found: { where: (typeof rememberFields)[number]; sentence: string }
}

/** Texts shorter than this are in nearly every note. */
export const minRememberLength = 3

/** @returns whether a search of one's own books takes the text */
export function canRemember(text: string): boolean {
  return displayWidth(foldText(text)) >= minRememberLength && displayWidth(text) <= 255
}
