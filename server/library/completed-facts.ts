import { sql } from 'kysely'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'
import type { Book } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { isPartialDate } from '#shared/partial-date.ts'
import { cutText } from '#shared/text.ts'
import {
  completedFields,
  type Completed,
  type CompletedFact,
  type CompletedField,
  type CompletionSource,
} from '#shared/user-book.ts'
import { differs } from './differs.ts'

type StoredBook = Stored<'user_books'>
type Facts = Pick<StoredBook, CompletedField | 'series_position'>

/** An edition as a catalogue describes it. */
export type Edition = Pick<
  Book,
  | 'title'
  | 'authors'
  | 'isbns'
  | 'image_links'
  | 'genres'
  | 'description'
  | 'page_count'
  | 'language'
  | 'published_date'
  | 'series'
>

/** The values of unknown facts. */
const unknown: Facts = {
  images: [],
  genres: [],
  description: '',
  page_count: 0,
  language: '',
  published: '',
  series: '',
  series_position: '',
}

/** What other editions of a book say differently. */
const editionFacts: readonly CompletedField[] = ['page_count', 'published']

/**
 * @returns the facts that a book lacks and that can be looked up: without an ISBN its edition is
 *   unknown; an uploaded picture is its cover
 */
export function missingFields(book: Facts & Pick<StoredBook, 'image' | 'isbn'>): CompletedField[] {
  const isEmpty = (name: keyof Facts) => !book[name] || !differs(book[name], unknown[name])
  const hasIsbn = toIsbn13(book.isbn) !== null
  return completedFields.filter((name) => {
    if (!hasIsbn && editionFacts.includes(name)) return false
    if (name === 'images') return !book.image && isEmpty('images')
    return isEmpty(name) && (name !== 'series' || isEmpty('series_position'))
  })
}

/** @returns whether something can be looked up: the book lacks a fact, and has an ISBN or an author */
export function isIncomplete(
  book: Facts & Pick<StoredBook, 'image' | 'isbn' | 'authors'>,
): boolean {
  const canBeFound = toIsbn13(book.isbn) !== null || (book.authors?.length ?? 0) > 0
  return canBeFound && missingFields(book).length > 0
}

/**
 * Fills in what one record of a book lacks. Nobody is told: there is no timeline entry, and `updated`
 * stays.
 *
 * @param importId the import that the book came with; '' for none
 * @returns the record as it is now
 */
export async function fillIn(
  tx: LibraryTransaction,
  book: StoredBook,
  edition: Edition,
  { source, importId }: { source: CompletionSource; importId: string },
): Promise<StoredBook> {
  const facts = factsOf(edition)
  const filled = missingFields(book).filter((name) => {
    if (name === 'page_count' && !takesLength(book, facts.page_count)) return false
    return differs(facts[name], unknown[name])
  })
  if (!filled.length) return book
  const factOf = (name: CompletedField): CompletedFact => ({
    source,
    ...(importId && { import: importId }),
    ...(name === 'page_count' && book.status === 'completed' && { progress: book.progress }),
  })
  const notes = Object.fromEntries(filled.map((name) => [name, factOf(name)]))
  const completed: Completed = { ...book.completed, ...notes }
  return writeUnnoticed(tx, book, { ...pick(facts, filled), completed })
}

/** Takes back what was filled into a record for an import, and its reader hasn't changed since. */
export async function takeBackCompletion(
  tx: LibraryTransaction,
  id: string,
  importId: string,
): Promise<void> {
  const book = await tx.find('user_books', id)
  const completed = book?.completed
  if (!book || !completed) return
  const filled = completedFields.filter((name) => completed[name]?.import === importId)
  if (!filled.length) return
  const { progress } = (filled.includes('page_count') && completed.page_count) || {}
  const isAtEnd = book.status === 'completed' && book.progress === book.page_count
  await writeUnnoticed(tx, book, {
    ...pick(unknown, filled),
    ...(isAtEnd && progress !== undefined && { progress }),
    completed: without(completed, filled),
  })
}

/** @returns what of the filled in facts a change leaves as it was; null for nothing */
export function unchangedSince(before: StoredBook, after: StoredBook): Completed | null {
  const { completed } = after
  if (!completed) return null
  const changed = completedFields.filter(
    (name) =>
      before.completed?.[name] &&
      (differs(before[name], after[name]) ||
        (name === 'series' && before.series_position !== after.series_position)),
  )
  return changed.length ? without(completed, changed) : completed
}

function without(completed: Completed, names: readonly string[]): Completed | null {
  const kept = Object.entries(completed).filter(([name]) => !names.includes(name))
  return kept.length ? Object.fromEntries(kept) : null
}

/** Other catalogues' values, within what a record can hold. */
function factsOf(edition: Edition): Facts {
  const cover = edition.image_links.find((link) => link.startsWith('http'))
  const [series] = edition.series ?? []
  return {
    images: cover ? [cover] : [],
    genres: edition.genres.filter(Boolean),
    description: cutText(edition.description, 20_000),
    page_count: edition.page_count,
    language: edition.language.length <= 10 ? edition.language : '',
    published: isPartialDate(edition.published_date) ? edition.published_date : '',
    series: cutText(series?.name ?? '', 500),
    series_position: cutText(series?.position ?? '', 20),
  }
}

/** A length must not contradict the reader's page, nor turn a percentage into a page. */
function takesLength({ status, progress, progress_percent }: StoredBook, pages: number): boolean {
  return progress <= pages && (progress_percent === 0 || status === 'completed')
}

function pick(facts: Facts, names: readonly CompletedField[]): Record<string, unknown> {
  const values = Object.fromEntries(names.map((name) => [name, facts[name]]))
  return names.includes('series') ? { ...values, series_position: facts.series_position } : values
}

async function writeUnnoticed(
  tx: LibraryTransaction,
  { id, updated }: StoredBook,
  values: Record<string, unknown>,
): Promise<StoredBook> {
  const written = await tx.update('user_books', id, values)
  await modify(tx, 'user_books', sql`UPDATE user_books SET updated = ${updated} WHERE id = ${id}`)
  return written
}
