import { neighboursOf, type FederatedCatalogue } from '#catalogue/index.ts'
import type { Book, SearchResult, SimilarBooks } from '#shared/book.ts'
import { searchForm } from '#shared/search-form.ts'
import { cutText } from '#shared/text.ts'
import type { CoReadsOfReaders } from './public-shelves.ts'

const maxSimilar = 12

/**
 * Books similar to one: those that readers of it shelve too, filled up with books of the same to-read
 * lists and then with books on the same subjects.
 */
export async function similarBooks(
  catalogue: FederatedCatalogue,
  coReads: Pick<CoReadsOfReaders, 'with'> | undefined,
  book: Book,
): Promise<SimilarBooks> {
  const own = workName(book)
  const similar = new Map<string, Book>()
  const readers: Record<string, number> = {}
  const add = (other: Book) => {
    const name = workName(other)
    if (name === own || similar.has(name) || similar.size === maxSimilar) return false
    similar.set(name, other)
    return true
  }
  for (const near of (await coReads?.with(book.isbns.ISBN_13 ?? '')) ?? []) {
    const other = await catalogue.known(near.isbn13)
    if (other && add(other)) readers[other.id] = near.readers
  }
  const listed: string[] = []
  if (similar.size < maxSimilar)
    for (const other of await onSameLists(catalogue, book)) if (add(other)) listed.push(other.id)
  if (similar.size === maxSimilar)
    return { books: [...similar.values()], readers, listed, matches: {} }
  const { books = [], matches = {} } = await aboutTheSame(catalogue, book)
  for (const other of books) if (matches[other.id]) add(other)
  return { books: [...similar.values()], readers, listed, matches }
}

/** Books that share to-read lists with an edition of a book. */
async function onSameLists(catalogue: FederatedCatalogue, book: Book): Promise<Book[]> {
  const near = neighboursOf(book.isbns.ISBN_13 ?? '')
  const editions = near.length > 0 ? [] : await catalogue.knownEditions(book.id)
  const isbns = [near, ...editions.map(({ isbns }) => neighboursOf(isbns.ISBN_13 ?? ''))]
  const found = isbns.find((some) => some.length > 0) ?? []
  const books = await Promise.all(found.map((isbn) => catalogue.known(isbn)))
  return books.filter((other) => other !== null)
}

/** Searches by its subjects or, without any, by its description. */
async function aboutTheSame(
  catalogue: FederatedCatalogue,
  { genres, description }: Book,
): Promise<Partial<SearchResult>> {
  const q = cutText(genres.length > 0 ? genres.join(' ') : description, 255).trim()
  const form = searchForm.safeParse({ q, mode: 'describe' })
  return form.success ? catalogue.search(form.data, 'cached') : {}
}

/** A name that volumes of a series and editions of a work share. */
function workName({ title, authors: [author = ''] }: Book): string {
  return `${title.replace(/,? (?:vol(?:ume)?\.?|book) ?\d+.*$/i, '')} ${author}`.toLowerCase()
}
