import type { ImportedBook } from '#shared/import.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { bookKey } from '#shared/user-book.ts'
import { isSameEdition } from '#server/titles/compare.ts'

type Named = Pick<ImportedBook, 'title' | 'authors' | 'isbn'>

/** An earlier row about the same book, or with the same ISBN. */
export interface EarlierRow {
  /** Its number, as passed to {@link DuplicateFinder.add}. */
  row: number
  /** False if it has this ISBN with another title. */
  isSame: boolean
  /** Its rating; 0 for none. */
  rating: number
}

/** Finds the rows of one file that are about the same book. */
export class DuplicateFinder {
  readonly #rows = new Map<string, Named & Pick<EarlierRow, 'row' | 'rating'>>()

  /**
   * Two rows are the same book if they have the same ISBN, unless their titles contradict it. They
   * also are if they have the same title and first author, unless both have an ISBN, as editions
   * are kept apart.
   *
   * @param row its position in the file
   * @returns the earlier row about it; null for a new book, which later rows are compared with
   */
  add(read: ImportedBook, row: number): EarlierRow | null {
    const isbn = toIsbn13(read.isbn) ?? ''
    const byIsbn = isbn ? this.#rows.get(isbn) : undefined
    const isOther = byIsbn && read.title && byIsbn.title && !isSameEdition(read, byIsbn)
    if (byIsbn && !isOther) return { row: byIsbn.row, rating: byIsbn.rating, isSame: true }
    const known = isOther ? { ...read, isbn: '' } : read
    const name = nameKey(known)
    const byName = this.#rows.get(name)
    if (byName && !(known.isbn && byName.isbn)) {
      if (known.isbn) this.#rows.set(isbn, byName)
      byName.isbn ||= isbn
      return { row: byName.row, rating: byName.rating, isSame: true }
    }
    const { title, authors, rating } = known
    const one = { title, authors, isbn: known.isbn, row, rating }
    if (known.isbn) this.#rows.set(isbn, one)
    if (!byName) this.#rows.set(name, one)
    return isOther ? { row: byIsbn.row, rating: byIsbn.rating, isSame: false } : null
  }
}

/**
 * @returns a key of the title and first author; without a title, of the ISBN or the source's own id
 */
function nameKey(read: ImportedBook): string {
  if (read.title) return bookKey({ ...read, isbn: '' })
  return read.isbn ? `isbn|${read.isbn}` : `id|${read.source_id}`
}
