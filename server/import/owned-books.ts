import { sql } from 'kysely'
import { letRequestsRun, named, number, text, texts, type Database } from '#records/index.ts'
import type { ImportCandidate, ImportedBook } from '#shared/import.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { bookKey, type FormerEdition } from '#shared/user-book.ts'
import { query } from '#server/storage/query.ts'
import { compareTitles, isSameEdition, isSameWork, workTitle } from '#server/titles/compare.ts'

type Named = Pick<ImportedBook, 'title' | 'authors' | 'isbn'>

/** One of the reader's books. */
interface OwnedBook extends Named {
  id: string
  /** Out of ten; 0 for none. */
  rating: number
}

/** The most books with one title that a row is compared with. */
const maxOfWork = 50
/** Rows of the library read at a time. */
const readAtOnce = 500

/** The reader's books, indexed for looking up rows. */
export class OwnedBooks {
  readonly #byKey = new Map<string, OwnedBook>()
  /** Books by editions that they were before. */
  readonly #former = new Map<string, OwnedBook>()
  readonly #byWork = new Map<string, OwnedBook[]>()

  static async open(database: Database, user: string): Promise<OwnedBooks> {
    const books = new OwnedBooks()
    for (let [key, last] = ['', '']; ;) {
      const rows = await query(
        database,
        sql`SELECT title_key, id, isbn, title, authors, rating, former_editions FROM user_books
          WHERE "user" = ${user} AND (title_key, id) > (${key}, ${last})
          ORDER BY title_key, id LIMIT ${sql.lit(readAtOnce)}`,
      )
      const some = named(rows, {
        key: text,
        id: text,
        isbn: text,
        title: text,
        authors: texts,
        rating: number,
        former: editions,
      })
      for (const { key: _, former, ...book } of some) {
        books.#add(book)
        for (const edition of former) books.#addFormer({ ...book, ...edition })
        await letRequestsRun()
      }
      const end = some.at(-1)
      if (!end || some.length < readAtOnce) return books
      ;[key, last] = [end.key, end.id]
    }
  }

  #add(book: OwnedBook): void {
    for (const key of keysOf(book)) this.#byKey.set(key, book)
    const work = this.#byWork.getOrInsertComputed(workTitle(book.title), () => [])
    if (work.length < maxOfWork) work.push(book)
  }

  /** Another book that is an edition which this one was before is known by it first. */
  #addFormer(book: OwnedBook): void {
    for (const key of keysOf(book)) this.#former.getOrInsert(key, book)
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
    const byKey = books.flatMap((one) =>
      keysOf(one).flatMap((key) => this.#byKey.get(key) ?? this.#former.get(key) ?? []),
    )
    const isSame = (book: Named, one: OwnedBook) =>
      book.isbn && toIsbn13(book.isbn) === toIsbn13(one.isbn)
        ? isSameEdition(book, one)
        : isSameWork(book, one)
    const same = byKey.find((one) => books.some((book) => !book.title || isSame(book, one)))
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

const editions = (json: unknown) => (JSON.parse(String(json)) as FormerEdition[] | null) ?? []

/** A book's keys: its ISBN, and its title and author for any edition. */
function keysOf(book: Named): string[] {
  const isbn = toIsbn13(book.isbn)
  return [...(isbn ? [isbn] : []), ...(book.title ? [bookKey({ ...book, isbn: '' })] : [])]
}

/** @returns one of the reader's own books as a candidate for a row */
export const toCandidate = ({ id, title, authors, isbn }: OwnedBook): ImportCandidate => ({
  id,
  title,
  authors,
  isbn,
  isOwned: true,
  genres: [],
  images: [],
  page_count: 0,
})
