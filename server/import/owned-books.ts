import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import type { ImportCandidate, ImportedBook } from '#shared/import.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { bookKey } from '#shared/user-book.ts'
import { query, textList } from '#server/query.ts'
import { isSameWork, compareTitles, workTitle } from './match.ts'
import { letRequestsRun } from './throttle.ts'

type Named = Pick<ImportedBook, 'title' | 'authors' | 'isbn'>

/** One of the reader's books. */
interface OwnedBook extends Named {
  id: string
}

/** The reader's books, indexed for looking up rows. */
export class OwnedBooks {
  readonly #byKey = new Map<string, OwnedBook>()
  readonly #byWork = new Map<string, OwnedBook[]>()

  static async open(database: Database, user: string): Promise<OwnedBooks> {
    const rows = await query(
      database,
      sql`SELECT isbn, title, authors, id FROM user_books WHERE "user" = ${user}`,
    )
    const books = new OwnedBooks()
    for (const [isbn, title, authors, id] of rows) {
      books.#add({
        id: String(id),
        isbn: String(isbn),
        title: String(title),
        authors: textList(String(authors)),
      })
      await letRequestsRun()
    }
    return books
  }

  #add(book: OwnedBook): void {
    for (const key of keysOf(book)) this.#byKey.set(key, book)
    const work = workTitle(book.title)
    this.#byWork.set(work, [...(this.#byWork.get(work) ?? []), book])
  }

  /**
   * @param books the row's book, and the catalogue's match for it
   * @returns the same book, or else a different book with its ISBN, and books with similar titles
   */
  find(books: readonly Named[]): {
    same?: OwnedBook
    otherByIsbn?: OwnedBook
    similar: OwnedBook[]
  } {
    const byKey = books.flatMap((one) => keysOf(one).flatMap((key) => this.#byKey.get(key) ?? []))
    const same = byKey.find((one) => books.some((book) => !book.title || isSameWork(book, one)))
    if (same) return { same, similar: [] }
    const near = books.flatMap((book) =>
      (this.#byWork.get(workTitle(book.title)) ?? []).map((owned) => ({
        owned,
        likeness: compareTitles(book, owned),
      })),
    )
    const equal = near.find((one) => one.likeness === 'same')
    if (equal) return { same: equal.owned, similar: [] }
    const similar = near.filter((one) => one.likeness === 'similar').map(({ owned }) => owned)
    const [otherByIsbn] = byKey
    return { ...(otherByIsbn && { otherByIsbn }), similar: [...new Set(similar)] }
  }
}

/** A book's keys: its ISBN, and its title and author for any edition. */
function keysOf(book: Named): string[] {
  const isbn = toIsbn13(book.isbn)
  return [...(isbn ? [isbn] : []), ...(book.title ? [bookKey({ ...book, isbn: '' })] : [])]
}

/** @returns one of the reader's own books as a candidate for a row */
export const toCandidate = (book: OwnedBook): ImportCandidate => ({
  ...book,
  isOwned: true,
  genres: [],
  images: [],
  page_count: 0,
})
