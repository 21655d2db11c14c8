import { nameOf } from '#server/titles/compare.ts'
import { titleParts } from '#server/titles/titles.ts'

/** As many as an index can hold; see `bookKey`. */
const maxLength = 600

/**
 * The name that all editions of a book with the same title and first author share, whatever their
 * ISBN: the title with its subtitle and volume, without a series in brackets, and the author's last
 * name and initial. It doesn't depend on the catalogue, which may be rebuilt at any time.
 *
 * @returns a name to compare, never shown; '' for a book without a title
 */
export function workOf(book: { title: string; authors: readonly string[] | null }): string {
  const { whole, volume, kind } = titleParts(book.title)
  if (!whole) return ''
  const [last, initial] = nameOf(book.authors?.[0] ?? '')
  // The first of a series is mostly known by its title alone.
  const parts = [whole, volume === '1' ? '' : volume, kind].filter(Boolean)
  return [...`${parts.join(' ')}|${last} ${initial}`].slice(0, maxLength).join('')
}
