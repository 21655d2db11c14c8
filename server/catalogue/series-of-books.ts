import type { Catalogue } from '#catalogue/index.ts'
import { letRequestsRun } from '#records/index.ts'
import { foundUnder, surelyNamed } from '#server/titles/compare.ts'
import { titleForms } from '#server/titles/titles.ts'
import { toIsbn13 } from '#shared/isbn.ts'

/** A book as its reader has it. */
export interface NamedBook {
  isbn: string
  title: string
  authors: string[]
}

/** A series of which some books are part. */
interface SeriesFound {
  id: string
  /** The ISBN-13s of these books. */
  isbns: string[]
  /** The place of the first of them in the list. */
  first: number
}

/** Looking up a book by its name takes the catalogue much longer than by its ISBN. */
const maxUnnumbered = 2000
/** Books whose names are looked up at a time, so that requests get their turn. */
const lookedUpAtOnce = 50

/**
 * Finds the series that books are part of: by their ISBNs, and for books without one by what the
 * catalogue has under their title and author without a doubt.
 */
export async function seriesOfBooks(
  catalogue: Pick<Catalogue, 'named' | 'seriesOf'>,
  books: readonly NamedBook[],
): Promise<SeriesFound[]> {
  const places = new Map<string, number>()
  const unnumbered: { book: NamedBook; at: number }[] = []
  for (const [at, book] of books.entries()) {
    const isbn = toIsbn13(book.isbn)
    if (isbn) places.getOrInsert(isbn, at)
    else if (!book.isbn) unnumbered.push({ book, at })
  }
  const numbered = await catalogue.seriesOf([...places.keys()])
  const found = new Map<string, SeriesFound>(
    numbered.map(({ id, isbns }) => {
      const first = Math.min(...isbns.map((isbn) => places.get(isbn) ?? books.length))
      return [id, { id, isbns, first }]
    }),
  )
  for (let from = 0; from < Math.min(unnumbered.length, maxUnnumbered); from += lookedUpAtOnce) {
    const some = unnumbered.slice(from, from + lookedUpAtOnce)
    const names = await catalogue.named(
      some.map(({ book: { title, authors } }) => ({
        isbn: '',
        titles: titleForms(title),
        authors,
      })),
    )
    for (const [n, { book, at }] of some.entries()) {
      const same = surelyNamed(book, foundUnder(book, names[n]?.byName ?? []))
      for (const { id } of same?.series ?? []) {
        const one = found.getOrInsertComputed(id, () => ({ id, isbns: [], first: at }))
        one.first = Math.min(one.first, at)
      }
      await letRequestsRun()
    }
  }
  return [...found.values()]
}
