import type { ImportedReading } from '#shared/import.ts'
import { isNo, parseBookFormat } from './cells.ts'
import { splitPeople } from './people.ts'
import { emptyBook, type Format } from './row.ts'

/** Common names of columns, folded to lower-case letters and digits. */
const names = {
  title: ['title', 'booktitle', 'name'],
  subtitle: ['subtitle'],
  author: ['author', 'authors', 'authorname', 'writer', 'by'],
  isbn: ['isbn13', 'isbn', 'isbn10', 'ean'],
  status: ['status', 'readstatus', 'readingstatus', 'shelf', 'exclusiveshelf', 'state'],
  rating: ['rating', 'myrating', 'stars', 'starrating'],
  review: ['review', 'myreview'],
  notes: ['notes', 'privatenotes', 'note'],
  tags: ['tags', 'shelves', 'bookshelves', 'genres', 'genre', 'category', 'categories'],
  started: ['started', 'datestarted', 'startdate', 'start'],
  finished: ['finished', 'dateread', 'datefinished', 'finishdate', 'enddate', 'readdate'],
  added: ['added', 'dateadded', 'created', 'createdat'],
  pages: ['pages', 'pagecount', 'numberofpages', 'totalpages'],
  format: ['format', 'binding', 'bookformat', 'media'],
  owned: ['owned', 'ownedcopies'],
  id: ['id', 'bookid'],
  /** It can mean any day: which one isn't guessed. */
  day: ['date', 'day'],
} as const

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * @returns a format that reads a table by its columns' names; undefined if it has neither titles
 *   nor ISBNs
 */
export function anyTable(header: readonly string[]): Format | undefined {
  const byName = Map.groupBy(header, fold)
  const columns = Object.fromEntries(
    Object.entries(names).map(([which, some]) => [
      which,
      some.flatMap((name) => byName.get(name) ?? []),
    ]),
  ) as Record<keyof typeof names, string[]>
  if (!columns.title.length && !columns.isbn.length) return undefined
  const isBookLogr = header.includes('reading_status') && header.includes('current_page')
  return {
    format: isBookLogr ? 'booklogr' : 'table',
    has: [],
    read(row) {
      const first = (which: keyof typeof names) => row.firstOf(columns[which])
      const status = row.status(first('status')) || row.status('reading_status')
      const started = row.date(first('started'))
      const finished = row.date(first('finished'))
      const outcome: ImportedReading['outcome'] = status === 'dropped' ? 'dropped' : 'finished'
      if (row.text(first('day'))) row.warn('dateUnnamed', first('day'))
      const owned = row.cell(first('owned'))
      return {
        ...emptyBook,
        title: [row.text(first('title')), row.text(first('subtitle'))].filter(Boolean).join(': '),
        authors: splitPeople(row.cell(first('author'))),
        isbn: row.isbn(...columns.isbn),
        status,
        tags: [...new Set(columns.tags.flatMap((name) => row.list(name)))],
        rating: isBookLogr ? row.stars(first('rating')) : row.rating(first('rating')),
        review: row.html(first('review')),
        notes: row.html(first('notes')),
        format: parseBookFormat(row.cell(first('format'))),
        pages: row.pages(first('pages')),
        owned: row.isYes(first('owned')) ? 1 : isNo(owned) ? 0 : row.count(first('owned')),
        added: row.date(first('added')),
        readings: started || finished ? [{ started, finished, outcome }] : [],
        read_count: finished && outcome === 'finished' ? 1 : 0,
        source_id: row.text(first('id')),
      }
    },
  }
}

/** A list with one ISBN on each line. */
export const isbns: Format = {
  format: 'isbns',
  has: [],
  read: (row) => ({ ...emptyBook, isbn: row.isbn('ISBN') }),
}
