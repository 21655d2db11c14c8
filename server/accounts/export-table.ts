import type { LibraryRecords, Stored } from '#server/collections/stored.ts'
import { pauseBetween } from './pause-between.ts'
import { tableFormats, type TableFormat } from './table-formats.ts'

/**
 * A reader's books as a table in pieces, in another tracker's export format. A book on several
 * shelves appears once.
 *
 * @param user id of the reader
 */
export async function* exportTable(
  records: Pick<LibraryRecords, 'recordsOf'>,
  user: string,
  format: keyof typeof tableFormats,
): AsyncGenerator<string> {
  const shape: TableFormat = tableFormats[format]
  const shelves = await shelvesOf(records, user)
  const readings = await readingsOf(records, user)
  yield line(shape.columns)
  for await (const group of pauseBetween(records.recordsOf('user_books', 'user', user))) {
    let text = ''
    for (const book of group) {
      const key = book.book_key
      const names = shelves.get(key)
      // All records of a book hold the same state; the first stands for them.
      if (!names) continue
      shelves.delete(key)
      const known = { book, shelves: [...names], readings: readings.get(key) ?? [] }
      for (const row of shape.rows(known))
        text += line(shape.columns.map((column) => row[column] ?? ''))
    }
    if (text) yield text
  }
}

/** @returns the names of each book's shelves, by book key */
async function shelvesOf(
  records: Pick<LibraryRecords, 'recordsOf'>,
  user: string,
): Promise<Map<string, Set<string>>> {
  const names = new Map<string, string>()
  for await (const group of records.recordsOf('bookshelves', 'user', user))
    for (const { id, name } of group) names.set(id, name)
  const found = new Map<string, Set<string>>()
  for await (const group of pauseBetween(records.recordsOf('user_books', 'user', user)))
    for (const { book_key, shelf } of group) {
      const of = found.getOrInsertComputed(book_key, () => new Set())
      const name = names.get(shelf)
      if (name) of.add(name)
    }
  return found
}

async function readingsOf(
  records: Pick<LibraryRecords, 'recordsOf'>,
  user: string,
): Promise<Map<string, Stored<'readings'>[]>> {
  const found = new Map<string, Stored<'readings'>[]>()
  for await (const group of pauseBetween(records.recordsOf('readings', 'user', user)))
    for (const record of group) found.getOrInsertComputed(record.book_key, () => []).push(record)
  const when = ({ started, finished }: Stored<'readings'>) => finished || started
  for (const of of found.values()) of.sort((a, b) => (when(a) < when(b) ? -1 : 1))
  return found
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  // Escape titles that a spreadsheet would run as formulas, except our own two ISBN formulas.
  const isOwn = /^="[\dX]*"$/.test(text)
  const safe = !isOwn && /^'*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
