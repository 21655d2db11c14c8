import { collapseSpaces } from './cells.ts'
import { splitPeople } from './people.ts'
import { emptyBook, type Format } from './row.ts'
import { isDivider, isHeading, type TableRow } from './table.ts'

/** Of a list's lines below headings, how many have to be books: there may be titles alone. */
const share = 0.8

/** The columns of a list that names none. */
export const plainListHeader = ['Title', 'Author'] as const

/** What a line of a list begins with: "- ", "1. ". */
const listMark = /^(?:[-*•–—]|\d{1,4}[.)]) /

/** Splits "Title by Author" at its last "by". @returns the line alone if it has none */
function splitBy(cells: readonly string[]): readonly string[] {
  const line = collapseSpaces(cells.join(', ')).replace(listMark, '')
  const at = line.toLowerCase().lastIndexOf(' by ')
  return at > 0 ? [line.slice(0, at), line.slice(at + ' by '.length)] : [line]
}

const read: Format['read'] = (row) => ({
  ...emptyBook,
  title: row.text('Title'),
  authors: splitPeople(row.cell('Author')),
})

const titleAndAuthor: Format = {
  format: 'table',
  has: [],
  isHeading: (cells) => isHeading(Object.values(cells).join(' ')),
  read,
}
const titleByAuthor: Format = { ...titleAndAuthor, mend: splitBy }

/**
 * Recognises a list without a line that names columns, as people keep it in notes: "Title by Author"
 * or "Title | Author" on each line.
 *
 * @param table the first rows of a table that has no known column
 * @param separator what stands between its cells
 * @returns how its rows are read; undefined if it is no such list
 */
export function plainList(table: readonly TableRow[], separator: string): Format | undefined {
  const lines = table.filter(({ cells }) => !isHeading(cells.join(' ')) && !isDivider(cells))
  const count = (isBook: (cells: readonly string[]) => boolean) =>
    lines.filter(({ cells }) => isBook(cells)).length
  const enough = Math.max(1, lines.length * share)
  if (separator === '|' && count(([title, author]) => Boolean(title && author?.trim())) >= enough)
    return titleAndAuthor
  return count((cells) => splitBy(cells).length === 2) >= enough ? titleByAuthor : undefined
}
