import type { Records, StoredRecord } from '#records/index.ts'
import { toIsbn10, toIsbn13 } from '#shared/isbn.ts'
import type { Status } from '#shared/user-book.ts'

/** The columns of Goodreads' export, which other book trackers read, too. */
const columns = [
  'Book Id',
  'Title',
  'Author',
  'Author l-f',
  'Additional Authors',
  'ISBN',
  'ISBN13',
  'My Rating',
  'Average Rating',
  'Publisher',
  'Binding',
  'Number of Pages',
  'Year Published',
  'Original Publication Year',
  'Date Read',
  'Date Added',
  'Bookshelves',
  'Bookshelves with positions',
  'Exclusive Shelf',
  'My Review',
  'Spoiler',
  'Private Notes',
  'Read Count',
  'Owned Copies',
] as const
type Column = (typeof columns)[number]

/** Goodreads' own three; the others become exclusive shelves of that name there. */
const exclusiveShelves: Record<Status, string> = {
  completed: 'read',
  reading: 'currently-reading',
  planning: 'to-read',
  paused: 'paused',
  dropped: 'dropped',
}

/**
 * A reader's books as a table in pieces, one line for each book on each shelf.
 *
 * @param user id of the reader
 */
export async function* booksCsv(
  records: Pick<Records, 'recordsOf'>,
  user: string,
): AsyncGenerator<string> {
  const shelves = new Map<unknown, string>()
  for await (const group of records.recordsOf('bookshelves', 'user', user))
    for (const { id, name } of group) shelves.set(id, String(name))
  const read = await readingsOf(records, user)
  yield line(columns)
  for await (const group of records.recordsOf('user_books', 'user', user))
    yield group
      .map((book) => toRow(book, shelves.get(book['shelf']) ?? '', read.get(book['book_key'])))
      .map((row) => line(columns.map((column) => row[column] ?? '')))
      .join('')
}

/** How often a book was finished, and the last day of that as far as it is known. */
interface Finished {
  count: number
  last: string
}

async function readingsOf(
  records: Pick<Records, 'recordsOf'>,
  user: string,
): Promise<Map<unknown, Finished>> {
  const found = new Map<unknown, Finished>()
  for await (const group of records.recordsOf('readings', 'user', user))
    for (const { book_key, outcome, finished } of group) {
      if (outcome !== 'finished') continue
      const { count, last } = found.get(book_key) ?? { count: 0, last: '' }
      const day = String(finished)
      // A month or a year is no day.
      const isLater = day.length === 10 && day > last
      found.set(book_key, { count: count + 1, last: isLater ? day : last })
    }
  return found
}

const bindings: Record<string, string> = {
  print: 'Paperback',
  ebook: 'Kindle Edition',
  audio: 'Audiobook',
}

function toRow(
  book: StoredRecord,
  shelf: string,
  finished: Finished | undefined,
): Partial<Record<Column, string>> {
  const [author = '', ...others] = list(book['authors'])
  const isbn = String(book['isbn'])
  const status = book['status'] as Status
  // A comma would make two shelves of one.
  const shelfName = shelf.replaceAll(',', ' ')
  return {
    'Book Id': book.id,
    Title: String(book['title']),
    Author: author,
    'Author l-f': lastNameFirst(author),
    'Additional Authors': others.join(', '),
    // Written as a formula, or a table program would take the zeros at the front away.
    ISBN: `="${toIsbn10(isbn) ?? ''}"`,
    ISBN13: `="${toIsbn13(isbn) ?? ''}"`,
    'My Rating': String(wholeStars(Number(book['rating']))),
    'Number of Pages': Number(book['page_count']) > 0 ? String(book['page_count']) : '',
    'Date Added': String(book['created']).slice(0, 10).replaceAll('-', '/'),
    'Date Read': (finished?.last ?? '').replaceAll('-', '/'),
    Binding: bindings[String(book['format'])] ?? '',
    Bookshelves: [shelfName, ...list(book['tags']).map((tag) => tag.replaceAll(',', ' '))].join(
      ', ',
    ),
    'Exclusive Shelf': exclusiveShelves[status] ?? '',
    'My Review': String(book['review']),
    Spoiler: book['review_spoilers'] ? 'true' : '',
    'Private Notes': String(book['notes']),
    'Read Count': String(finished?.count ?? Number(status === 'completed')),
    'Owned Copies': '0',
  }
}

/** @param rating 0 to 10; there are no halves of stars there, and 0 says that nothing was given */
function wholeStars(rating: number): number {
  return rating > 0 ? Math.max(1, Math.round(rating / 2)) : 0
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function lastNameFirst(author: string): string {
  const names = author.trim().split(/\s+/)
  return names.length < 2 ? author : `${names.at(-1)}, ${names.slice(0, -1).join(' ')}`
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  // A title that a table program would run is text; our own two ISBN formulas are meant.
  const isOwn = /^="[\dX]*"$/.test(text)
  const safe = !isOwn && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
