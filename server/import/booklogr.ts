import { findIsbn } from './cells.ts'
import { splitNames } from './people.ts'
import { emptyBook, type Format } from './row.ts'
import { statusOf } from './statuses.ts'

/** How its export writes empty values. */
const none = /^(?:None|null|NULL)$/
const isCount = (cell = '') => /^\d+$/.test(cell.trim()) || none.test(cell.trim())

/** Reads its notes: a JSON list, or plain text in older exports. */
function notesOf(cell = ''): string {
  if (!cell.trim().startsWith('[')) return cell.trim()
  try {
    const notes = JSON.parse(cell) as unknown
    if (!Array.isArray(notes)) return ''
    return notes
      .map((one: unknown) => {
        const content = (one as { content?: unknown } | null)?.content ?? one
        return typeof content === 'string' ? content : ''
      })
      .filter(Boolean)
      .join('\n\n')
  } catch {
    return cell.trim()
  }
}

export const booklogr: Format = {
  format: 'booklogr',
  has: ['title', 'isbn', 'reading_status', 'current_page', 'total_pages', 'author'],
  /**
   * Rejoins cells: it writes them without quotation marks, so commas in a title or description
   * split them.
   */
  mend(cells, header) {
    const isPlace = (at: number) =>
      statusOf(cells[at]) && isCount(cells[at + 1]) && isCount(cells[at + 2])
    if (cells.length === header.length && isPlace(header.indexOf('reading_status'))) return cells
    const status = cells.findIndex((_, at) => isPlace(at))
    const isbn = cells.findIndex((cell, at) => at > 0 && at < status && findIsbn(cell))
    if (status < 0 || isbn < 0) return cells
    const rest = cells.slice(status + 3)
    const notes = rest.findIndex((cell) => cell.trim().startsWith('['))
    const end = (notes < 0 ? rest.length : notes) - 1
    return [
      cells.slice(0, isbn).join(','),
      cells[isbn]!,
      cells.slice(isbn + 1, status).join(','),
      ...cells.slice(status, status + 3),
      rest.slice(0, end).join(','),
      rest[end] ?? '',
      rest.slice(end + 1).join(','),
    ]
  },
  read(row) {
    const status = row.status('reading_status')
    return {
      ...emptyBook,
      title: textOf(row.text('title')),
      authors: splitNames(textOf(row.cell('author'))),
      isbn: row.isbn('isbn'),
      status,
      status_name: row.word('reading_status'),
      rating: row.stars('rating'),
      notes: notesOf(textOf(row.cell('notes'))),
      pages: row.pages('total_pages'),
      progress: row.count('current_page'),
      read_count: status === 'completed' ? 1 : 0,
    }
  },
}

const textOf = (cell: string) => (none.test(cell.trim()) ? '' : cell)
