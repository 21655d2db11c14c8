import { foldWords } from '#catalogue/text/fold.ts'
import { allowedEdits, editDistance } from '#catalogue/text/spelling.ts'
import type { Book, SearchForm } from '#shared/book.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import type { FoundBook } from './source.ts'

/** Sorts a page so that books that match every word come first. */
export function bestFirst(books: Book[], { q, order, by }: SearchForm): Book[] {
  if (order === 'newest')
    return books.toSorted((a, b) => b.published_date.localeCompare(a.published_date))
  const words = foldWords(q)
  if (words.length === 0 || by === '2' || toIsbn13(q)) return books
  const { yes = [], no = [] } = Object.groupBy(books, (b) => (explains(b, words) ? 'yes' : 'no'))
  return [...yes, ...no]
}

/** @returns whether the title or names contain every word, a word that starts with it, or a near spelling */
export function explains(
  { title, subtitle = '', authors }: FoundBook,
  words: readonly string[],
): boolean {
  const there = foldWords([title, subtitle, ...authors].join(' '))
  return words.every((word) =>
    there.some(
      (other) =>
        other.startsWith(word) ||
        (word.length > 3 && editDistance(word, other, allowedEdits(word)) <= allowedEdits(word)),
    ),
  )
}
