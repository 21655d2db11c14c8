import { bookSlug, type Book } from '#shared/book.ts'
import { sameBookKeys, workIds } from './merge.ts'
import type { FoundBook } from './source.ts'

/** A list of books without duplicates; a duplicate fills in what the first lacks. */
export class BookList {
  readonly #books: Book[] = []
  readonly #places = new Map<string, number>()

  constructor(own: readonly Book[]) {
    // The index distinguishes works better than titles do.
    for (const book of own) {
      this.#note(book, this.#books.length)
      this.#books.push(book)
    }
  }

  get size(): number {
    return this.#books.length
  }

  add(found: readonly FoundBook[]): void {
    for (const next of found) {
      const keys = sameBookKeys(next)
      const place = keys.map((key) => this.#places.get(key)).find((at) => at !== undefined)
      const earlier = place === undefined ? undefined : this.#books[place]
      if (place !== undefined && earlier) this.#books[place] = enriched(earlier, next)
      else {
        this.#note(next, this.#books.length)
        this.#books.push(withSlug(next))
      }
    }
  }

  /** @returns the place after the book with that id; undefined if it isn't in the list */
  placeAfter(id: string): number | undefined {
    const place = this.#books.findIndex((book) => book.id === id)
    return place === -1 ? undefined : place + 1
  }

  slice(start: number, end: number): Book[] {
    return this.#books.slice(start, end)
  }

  #note(book: FoundBook, place: number): void {
    for (const key of sameBookKeys(book)) if (!this.#places.has(key)) this.#places.set(key, place)
  }
}

/** Completes a book of the index; another edition's numbers don't apply to it. */
export function enriched(own: Book, next: FoundBook): Book {
  const isSame = own.isbns.ISBN_13 === next.isbns.ISBN_13
  return {
    ...own,
    ids: { ...(isSame ? next.ids : workIds(next.ids)), ...own.ids },
    image_links: own.image_links.length > 0 ? own.image_links : next.image_links,
    description: own.description || next.description,
    genres: own.genres.length > 0 ? own.genres : next.genres,
  }
}

/** @returns the book as it is shown, with its slug */
export function withSlug(found: FoundBook): Book {
  const { series_statements: _statements, ...book } = found
  return { ...book, slug: bookSlug(book.title, book.isbns.ISBN_13, book.isbns.ISBN_10) }
}
