import type { ImportedReading } from '#shared/import.ts'
import {
  parseNumber,
  parseBookFormat,
  isYes,
  splitList,
  collapseSpaces,
  findIsbn,
  parseRating,
  htmlToText,
} from './cells.ts'
import { parseDate } from './dates.ts'
import { statusOf } from './other-formats.ts'
import { emptyBook, type Cells, type Format } from './row.ts'

/** Common names of columns, folded to lower-case letters and digits. */
const names = {
  title: ['title', 'booktitle', 'name'],
  author: ['author', 'authors', 'authorname', 'writer', 'by'],
  isbn: ['isbn13', 'isbn', 'isbn10', 'ean'],
  status: ['status', 'readstatus', 'readingstatus', 'shelf', 'exclusiveshelf', 'state'],
  rating: ['rating', 'myrating', 'stars', 'starrating'],
  review: ['review', 'myreview'],
  notes: ['notes', 'privatenotes', 'note'],
  tags: ['tags', 'shelves', 'bookshelves', 'genres'],
  started: ['started', 'datestarted', 'startdate', 'start'],
  finished: ['finished', 'dateread', 'datefinished', 'finishdate', 'enddate', 'readdate'],
  added: ['added', 'dateadded', 'created', 'createdat'],
  pages: ['pages', 'pagecount', 'numberofpages', 'totalpages'],
  format: ['format', 'binding', 'bookformat', 'media'],
  owned: ['owned', 'ownedcopies'],
  id: ['id', 'bookid'],
} as const

/** The columns with dates, in a table of an unknown format. */
const dateNames = [...names.started, ...names.finished, ...names.added]

const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * @returns a format that reads a table by its columns' names; undefined if it has neither titles
 *   nor ISBNs
 */
export function anyTable(header: readonly string[]): Format | undefined {
  const column = (which: keyof typeof names) =>
    names[which].flatMap((name) => header.filter((one) => fold(one) === name))
  if (!column('title').length && !column('isbn').length) return undefined
  const isBookLogr = header.includes('reading_status') && header.includes('current_page')
  return {
    format: isBookLogr ? 'booklogr' : 'table',
    has: [],
    dates: header.filter((one) => dateNames.some((name) => name === fold(one))),
    ...(isBookLogr ? {} : { ratings: column('rating') }),
    read(cells, order, outOf) {
      const all = (which: keyof typeof names) => column(which).map((name) => cells[name] ?? '')
      const first = (which: keyof typeof names) => all(which).find(Boolean) ?? ''
      const status = statusOf(first('status')) || statusOf(cells['reading_status'])
      const [started, finished] = [
        parseDate(first('started'), order),
        parseDate(first('finished'), order),
      ]
      const outcome: ImportedReading['outcome'] = status === 'dropped' ? 'dropped' : 'finished'
      return {
        ...emptyBook,
        title: collapseSpaces(first('title')),
        authors: splitList(first('author'), /[;,&]/),
        isbn: findIsbn(...all('isbn')),
        status: status || (finished ? 'completed' : ''),
        tags: splitList(first('tags')),
        rating: parseRating(first('rating'), outOf),
        review: htmlToText(first('review')),
        notes: htmlToText(first('notes')),
        format: parseBookFormat(first('format')),
        pages: Math.round(parseNumber(first('pages'))),
        owned: isYes(first('owned')) ? 1 : Math.round(parseNumber(first('owned'))),
        added: parseDate(first('added'), order),
        readings: started || finished ? [{ started, finished, outcome }] : [],
        read_count: finished && outcome === 'finished' ? 1 : 0,
        source_id: collapseSpaces(first('id')),
      }
    },
  }
}

/** A list with one ISBN on each line. */
export const isbns: Format = {
  format: 'isbns',
  has: [],
  dates: [],
  read: (cells: Cells) => ({ ...emptyBook, isbn: findIsbn(cells['ISBN']) }),
}
