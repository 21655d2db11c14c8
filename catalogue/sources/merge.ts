import type { ExternalSource } from '#shared/book.ts'
import { foldText } from '#shared/text.ts'
import type { FoundBook } from './source.ts'

/** Books of one catalogue, best first. */
export interface FoundBooks {
  source: ExternalSource
  books: readonly FoundBook[]
}

/**
 * Interleaves several catalogues' results: the first of each, then the second of each. Books with
 * the same ISBN, or else the same title and author, are merged.
 *
 * @returns books, best first
 */
export function mergeBooks(lists: readonly FoundBooks[]): FoundBook[] {
  const merged: FoundBook[] = []
  const places = new Map<string, number>()
  const longest = Math.max(0, ...lists.map(({ books }) => books.length))
  for (let rank = 0; rank < longest; rank++)
    for (const { source, books } of lists) {
      const book = books[rank]
      if (!book) continue
      const keys = sameBookKeys(book)
      const place = keys.map((key) => places.get(key)).find((found) => found !== undefined)
      const earlier = place === undefined ? undefined : merged[place]
      if (place === undefined || !earlier) merged.push(book)
      else merged[place] = combine(earlier, book, source)
      for (const key of keys) if (!places.has(key)) places.set(key, place ?? merged.length - 1)
    }
  return merged
}

/** The keys under which two books count as the same: the ISBN, and the title with its author. */
export function sameBookKeys(book: Pick<FoundBook, 'isbns' | 'title' | 'authors'>): string[] {
  const { ISBN_13 } = book.isbns
  // "Emma: A Novel" is "Emma"; authors come as "Jane Austen", "Austen, Jane" or "J. Austen".
  const title = foldText(book.title.split(/[:(]/)[0] ?? '') || foldText(book.title)
  const [author = ''] = book.authors
  const family = author.includes(',')
    ? foldText(author.split(',')[0] ?? '')
    : (foldText(author).split(' ').at(-1) ?? '')
  return [...(ISBN_13 ? [ISBN_13] : []), ...(family ? [`${title}|${family}`] : [])]
}

/**
 * Merges two catalogues' data of a book. For the same edition Google's data comes first, as it is
 * from publishers; from another edition only what holds for the whole work is used.
 *
 * @param source whose `next` is
 */
function combine(book: FoundBook, next: FoundBook, source: ExternalSource): FoundBook {
  const isSameEdition = book.isbns.ISBN_13 === next.isbns.ISBN_13
  const [first, second] = isSameEdition && source === 'google' ? [next, book] : [book, next]
  const ids = isSameEdition
    ? { ...second.ids, ...first.ids }
    : { ...workIds(second.ids), ...first.ids }
  return {
    ...first,
    // Keep the id that was published first.
    id: book.id,
    ids,
    ...(first.subtitle || !isSameEdition || !second.subtitle ? {} : { subtitle: second.subtitle }),
    authors: first.authors.length > 0 ? first.authors : second.authors,
    genres: [...new Set([...first.genres, ...second.genres])].slice(0, 6),
    image_links: [...new Set([...first.image_links, ...second.image_links])],
    description: first.description || second.description,
    ...(isSameEdition ? editionFacts(first, second) : {}),
  }
}

function editionFacts(first: FoundBook, second: FoundBook): Partial<FoundBook> {
  const format = first.format ?? second.format
  return {
    page_count: first.page_count || second.page_count,
    published_date:
      second.published_date.length > first.published_date.length
        ? second.published_date
        : first.published_date,
    publisher: first.publisher || second.publisher,
    language: first.language || second.language,
    ...(format ? { format } : {}),
  }
}

/** @returns the ids that hold for every edition of the work */
export function workIds(ids: FoundBook['ids']): FoundBook['ids'] {
  const all = { ...ids }
  delete all.google
  delete all.openlibrary
  return all
}
