import type { ExternalSource } from '#shared/book.ts'
import { foldText } from '#shared/text.ts'
import type { FoundBook } from './source.ts'

/** Books of one catalogue, best first. */
export interface FoundBooks {
  source: ExternalSource
  books: readonly FoundBook[]
}

/**
 * What several catalogues found, as one list: the first of each, then the second of each. The same
 * ISBN, or else the same title and author, is one book.
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

/** Under each of these two books count as one: the ISBN, and the title with its author. */
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
 * One book out of what two catalogues say. Of the same edition Google's facts are taken first, they
 * come from publishers; of another edition only what holds for every one.
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
    // The address that was given out first stays.
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

/** @returns what holds for every edition of the work */
export function workIds(ids: FoundBook['ids']): FoundBook['ids'] {
  const all = { ...ids }
  delete all.google
  delete all.openlibrary
  return all
}
