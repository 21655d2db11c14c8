import type { ExternalSource } from './book.ts'
import type { Bookshelf } from './bookshelf.ts'
import { linkedCoverPath, parseCoverLink } from './cover.ts'
import { toIsbn13 } from './isbn.ts'
import type { Format } from './reading.ts'
import { foldText } from './text.ts'
import type { UserBookForm } from './user-book-form.ts'

export type { UserBookForm }

export const statuses = ['completed', 'reading', 'paused', 'dropped', 'planning'] as const
export type Status = (typeof statuses)[number]
/** How many books have each status. `GET /api/v1/library/statuses` answers it. */
export type StatusCounts = Record<Status, number>

/** A fact that completing can fill, by its field; a series comes with its position. */
export const completedFields = [
  ...(['images', 'genres', 'description', 'page_count'] as const),
  ...(['language', 'published', 'series'] as const),
] as const
export type CompletedField = (typeof completedFields)[number]

/** This site's catalogue, or one that it asks. */
export type CompletionSource = 'catalogue' | ExternalSource

/** Facts that the server has filled in, and the reader hasn't changed since. */
export type Completed = Partial<Record<CompletedField, CompletedFact>>

/** An edition that a reader has exchanged for another. */
export interface FormerEdition {
  title: string
  authors: string[]
  isbn: string
}

export interface CompletedFact {
  source: CompletionSource
  /** The import that the book came with, if it did. */
  import?: string
  /** The page that a finished book was at before its length was filled in. */
  progress?: number
}

export interface UserBook extends UserBookForm {
  id: string
  collectionId: string
  collectionName: string
  user: string
  image: string
  /** The percentage that the reader entered, 0 to 100; 0 if they entered a page. */
  progress_percent: number
  /** Percent read, 0 to 100; kept by the server. */
  progress_average: number
  created: string
  updated: string
  tags: string[]
  review: string
  review_spoilers: boolean
  format: Format | ''
  /** Minutes, for audio; 0 is unknown. */
  duration: number
  progress_minutes: number
  /** Whether the book is hidden from others on every shelf. */
  isPrivate: boolean
  /** A MARC code, such as `eng`; '' is unknown, as in the facts below. */
  language: string
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  published: string
  series: string
  /** As the series counts, such as "2", "1.5" or "1-3". */
  series_position: string
  description: string
  /** Kept by the server, as the next two: what is being read comes first in a list. */
  being_read: boolean
  /** When it was finished last: a day, a month or a year; '' for never or unknown. */
  finished: string
  /** Each year in which it was finished, the latest first. */
  years_read: string[]
  /** Only its reader sees these. */
  notes?: string
  book_key?: string
  position?: number
  completed?: Completed | null
  expand?: {
    shelf?: Pick<Bookshelf, 'id' | 'name' | 'visibility'>
    user?: { id: string; username: string }
  }
}

/** A reader's data about a book beyond the specification's form. */
export type PersonalFields = Pick<
  UserBook,
  | 'tags'
  | 'notes'
  | 'review'
  | 'review_spoilers'
  | 'format'
  | 'duration'
  | 'progress_minutes'
  | 'isPrivate'
  | 'position'
>

/** Facts about a book beyond the specification's form. */
export type BookFacts = Pick<
  UserBook,
  'language' | 'published' | 'series' | 'series_position' | 'description'
>

/**
 * The pictures of a book, its cover first: the uploaded one, then the addresses.
 *
 * @param book a record, or one as a list has it
 * @returns addresses a page can show; empty where there is none
 */
export function bookImages(book: {
  id: string
  image: string
  images: readonly string[]
}): string[] {
  const uploaded = book.image ? `/api/files/user_books/${book.id}/${book.image}` : ''
  const linked = book.images
    .filter((address) => address.startsWith('http'))
    .map((address) => (parseCoverLink(address) ? address : linkedCoverPath(book.id, address)))
  return [uploaded, ...linked].filter(Boolean)
}

/**
 * The longest key in characters of up to four bytes: PostgreSQL's indexes allow 2704 bytes a row.
 */
const maxKeyLength = 600

/**
 * The key that two records of the same book share: the ISBN-13, otherwise the folded title and
 * first author, cut to what an index can hold.
 *
 * @returns a key to compare, never shown
 */
export function bookKey(book: { isbn: string; title: string; authors: string[] }): string {
  const isbn = toIsbn13(book.isbn)
  if (isbn) return isbn
  // Cut a long author before folding, which is slow; four times the key is enough.
  const author = (book.authors[0] ?? '').slice(0, 4 * maxKeyLength)
  const key = `${foldText(book.title)}|${foldText(author)}`
  return key.length > maxKeyLength ? [...key].slice(0, maxKeyLength).join('') : key
}
