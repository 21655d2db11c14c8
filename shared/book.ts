import type { BookSeries, NamedPage } from './series.ts'

export type { SearchForm } from './search-form.ts'

/** A book of the catalogue, as `/api/v1/book-info` answers it. */
export interface Book {
  /** The catalogue's own id; the key in `/book-info/{id}`. */
  id: string
  ids: BookIds
  title: string
  subtitle?: string
  authors: string[]
  genres: string[]
  /** Addresses of covers, best first; empty when there is none. */
  image_links: string[]
  /** 0 when unknown. */
  page_count: number
  isbns: { ISBN_10?: string; ISBN_13?: string }
  description: string
  /** yyyy, yyyy-MM or yyyy-MM-dd; empty when unknown. */
  published_date: string
  publisher: string
  /** ISO 639-2 or 639-1 code as the source gave it. */
  language: string
  slug: string
  /** The ids of its authors, in the same order; absent for a book that only another catalogue has. */
  author_ids?: string[]
  /** The series it belongs to; absent likewise. */
  series?: BookSeries[]
  /** Binding or medium as the publisher says it, such as "Paperback". */
  format?: string
}

/** A book's ids in other catalogues and at sites with free copies. */
export interface BookIds {
  google?: string
  /** An edition (OL...M) or, where none is known, a work (OL...W). */
  openlibrary?: string
  /** The work on Open Library (OL...W). */
  work?: string
  /** The number of its Project Gutenberg e-book. */
  gutenberg?: string
  /** author/title, as in Standard Ebooks' addresses. */
  standard_ebooks?: string
  /** The name of its LibriVox recording. */
  librivox?: string
  /** The scan that Open Library lends or shows. */
  archive?: string
}

export const externalSources = ['openlibrary', 'google'] as const
export type ExternalSource = (typeof externalSources)[number]

export const sourceNames: Record<ExternalSource, string> = {
  openlibrary: 'Open Library',
  google: 'Google Books',
}

/**
 * The state of each external catalogue: it answered, it didn't answer in time, or it wasn't asked.
 * Those that are switched off are absent.
 */
export type SourceStates = Partial<Record<ExternalSource, 'answered' | 'silent' | 'unasked'>>

/** Why a book matches a description: its matching subjects and sentence, as printed. */
export interface BookMatch {
  subjects: string[]
  /** Empty if no sentence of its description matches. */
  sentence: string
}

export interface SearchResult {
  books: Book[]
  hasMoreResults: boolean
  /** On the first page, the series and authors that the text names, if there are any. */
  series?: NamedPage[]
  authors?: NamedPage[]
  /** Present if the text was taken as a description: why each book matches, by id. */
  matches?: Record<string, BookMatch>
  /** The corrected text, if the books match that one. */
  did_you_mean?: string
  /** Set if no book has this name: the books are close matches or fit the description. */
  absent?: true
  /** Words that the first book doesn't contain or, for a description, that no book contains. */
  left_out?: string[]
  sources?: SourceStates
  /** Present with `matches` if a language model can be asked as well. */
  model?: ModelName
}

/** `GET /api/v1/book-info/{id}/similar`: each book says why it is among them. */
export interface SimilarBooks {
  books: Book[]
  /** How many readers have both on public shelves, by the other book's id. */
  readers: Record<string, number>
  /** Ids of those that stand on the same to-read lists in goodbooks-10k. */
  listed: string[]
  matches: Record<string, BookMatch>
}

/** Out of ten: what a reader rates as high is liked. */
export const likedRating = 8
/** The most books in {@link BecauseLiked}. */
export const maxBecauseLiked = 6

/** `GET /api/v1/library/because-liked`: books like one that the reader liked, none of them theirs. */
export interface BecauseLiked {
  /** Null if there are none. */
  liked: Book | null
  books: Book[]
}

/**
 * `GET /api/v1/book-info/described`: books that a language model named for a description, from the
 * catalogue.
 */
export interface ModelBooks {
  books: Book[]
  matches: Record<string, BookMatch>
  /** Ids of the books that the model named. */
  named: string[]
  /** Everything that was sent to it. */
  sent: string
}

/** A language model that descriptions are sent to. */
interface ModelName {
  name: string
  host: string
}

/** `GET /api/v1/explore`: the two curated sections. */
export interface CuratedSections {
  classics: Book[]
  manga: Book[]
}

/** Books in one page of search results. */
export const searchPageSize = 18

/**
 * The slug in `/book/{slug}`.
 *
 * @returns title with hyphens for spaces, URL-encoded, lower-cased, a hyphen, the ISBN-13 or else
 *   the ISBN-10; with neither, the title alone
 */
export function bookSlug(title: string, isbn13?: string, isbn10?: string): string {
  const name = encodeURIComponent(title.trim().replace(/\s+/g, '-')).toLowerCase()
  const isbn = isbn13 || isbn10
  return isbn ? `${name}-${isbn}` : name
}

/**
 * @param slug the path segment, encoded or decoded
 * @returns the ISBN (the last hyphen-separated segment) and the words before it
 */
export function parseBookSlug(slug: string): { isbn: string; title: string } {
  let text = slug
  try {
    text = decodeURIComponent(slug)
  } catch {
    // A lone % is part of the title.
  }
  const cut = text.lastIndexOf('-')
  return {
    isbn: text.slice(cut + 1).toUpperCase(),
    title: text.slice(0, Math.max(cut, 0)).replaceAll('-', ' '),
  }
}

/** @returns the book's main ISBN; '' if it has none */
export function isbnOf({ isbns }: Pick<Book, 'isbns'>): string {
  return isbns.ISBN_13 ?? isbns.ISBN_10 ?? ''
}

/** @returns what a reader's record takes from a book of the catalogue */
export function recordedFacts(
  book: Pick<Book, 'title' | 'authors' | 'genres' | 'image_links' | 'isbns' | 'page_count'>,
) {
  const image = book.image_links.find((link) => link.startsWith('http'))
  return {
    title: book.title,
    authors: book.authors.filter(Boolean),
    genres: book.genres.filter(Boolean),
    images: image ? [image] : [],
    isbn: isbnOf(book),
    page_count: book.page_count,
  }
}

/** The languages of books, by MARC and ISO 639 codes. */
const bookLanguages: Record<string, readonly string[]> = {
  en: ['eng'],
  ja: ['jpn'],
  fa: ['per', 'fas'],
  fr: ['fre', 'fra'],
  de: ['ger', 'deu'],
  es: ['spa'],
  it: ['ita'],
  zh: ['chi', 'zho'],
  ru: ['rus'],
  ar: ['ara'],
  hi: ['hin'],
  pt: ['por'],
  ko: ['kor'],
  tr: ['tur'],
}

/** The MARC codes of the languages that have a name on the screens. */
export const namedLanguages = Object.values(bookLanguages).map(([code]) => code!)

/**
 * @param code in MARC or ISO 639
 * @returns the name of a language; '' for unknown codes
 */
export function languageName(code: string, locale: string): string {
  const asked = code.toLowerCase()
  const known = Object.keys(bookLanguages).find(
    (short) => short === asked || bookLanguages[short]!.includes(asked),
  )
  return known ? (new Intl.DisplayNames(locale, { type: 'language' }).of(known) ?? '') : ''
}
