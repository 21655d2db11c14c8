import type { ImportedReading } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import {
  parseNumber,
  parseBookFormat,
  isYes,
  splitList,
  collapseSpaces,
  findIsbn,
  parseStars,
  htmlToText,
} from './cells.ts'
import { parseDate } from './dates.ts'
import { emptyBook, type Format } from './row.ts'
import type { DateOrder } from '#shared/import.ts'

const statuses: Record<string, Status> = {
  read: 'completed',
  'currently-reading': 'reading',
  'to-read': 'planning',
  'did-not-finish': 'dropped',
  paused: 'paused',
}

export const storygraph: Format = {
  format: 'storygraph',
  has: ['Title', 'Authors', 'ISBN/UID', 'Read Status', 'Star Rating'],
  dates: ['Date Added', 'Last Date Read'],
  read(cells, order) {
    const uid = collapseSpaces(cells['ISBN/UID'])
    const status = statuses[collapseSpaces(cells['Read Status']).toLowerCase()] ?? ''
    const isDropped = status === 'dropped'
    const dates = cells['Dates Read'] || cells['Last Date Read'] || ''
    return {
      ...emptyBook,
      title: collapseSpaces(cells['Title']),
      authors: splitList(cells['Authors']),
      isbn: findIsbn(uid),
      status,
      tags: splitList(cells['Tags']),
      rating: parseStars(cells['Star Rating']),
      review: htmlToText(cells['Review']),
      format: parseBookFormat(cells['Format']),
      owned: isYes(cells['Owned?']) ? 1 : 0,
      added: parseDate(cells['Date Added'] ?? '', order),
      readings: storygraphDates(dates, order, isDropped ? 'dropped' : 'finished'),
      read_count: Math.round(parseNumber(cells['Read Count'])),
      // Without an ISBN, this is StoryGraph's own id or Amazon's.
      source_id: findIsbn(uid) ? '' : uid,
    }
  },
}

/**
 * Parses several readings in one cell: "2022/10/29-2022/11/28, 2021/09/14". A single date is the
 * day the book was finished.
 *
 * @returns the readings, oldest first
 */
function storygraphDates(
  text: string,
  order: DateOrder | undefined,
  outcome: ImportedReading['outcome'],
): ImportedReading[] {
  return splitList(text)
    .map((part): ImportedReading => {
      const ends = /^([\d/]*)-([\d/]*)$/.exec(part) ?? /^(\S+) - (\S+)$/.exec(part)
      const [started, finished] = ends ? [ends[1] ?? '', ends[2] ?? ''] : ['', part]
      return { started: parseDate(started, order), finished: parseDate(finished, order), outcome }
    })
    .filter(({ started, finished }) => started || finished)
    .toSorted((a, b) => (a.finished || a.started).localeCompare(b.finished || b.started))
}
