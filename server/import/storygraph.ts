import type { ImportedReading } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'
import { amount, formatOf, isYes, list, plain, readIsbn, stars, withoutHtml } from './cells.ts'
import { readDate } from './dates.ts'
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
    const uid = plain(cells['ISBN/UID'])
    const status = statuses[plain(cells['Read Status']).toLowerCase()] ?? ''
    const isDropped = status === 'dropped'
    const dates = cells['Dates Read'] || cells['Last Date Read'] || ''
    return {
      ...emptyBook,
      title: plain(cells['Title']),
      authors: list(cells['Authors']),
      isbn: readIsbn(uid),
      status,
      tags: list(cells['Tags']),
      rating: stars(cells['Star Rating']),
      review: withoutHtml(cells['Review']),
      format: formatOf(cells['Format']),
      owned: isYes(cells['Owned?']) ? 1 : 0,
      added: readDate(cells['Date Added'] ?? '', order),
      readings: storygraphDates(dates, order, isDropped ? 'dropped' : 'finished'),
      read_count: Math.round(amount(cells['Read Count'])),
      // Their own id, or Amazon's, where there is no ISBN.
      source_id: readIsbn(uid) ? '' : uid,
    }
  },
}

/**
 * Several times through a book in one cell: "2022/10/29-2022/11/28, 2021/09/14". A single date is
 * the day it was finished.
 *
 * @returns the readings, the oldest first
 */
export function storygraphDates(
  text: string,
  order: DateOrder | undefined,
  outcome: ImportedReading['outcome'],
): ImportedReading[] {
  return list(text)
    .map((part): ImportedReading => {
      const ends = /^([\d/]*)-([\d/]*)$/.exec(part) ?? /^(\S+) - (\S+)$/.exec(part)
      const [started, finished] = ends ? [ends[1] ?? '', ends[2] ?? ''] : ['', part]
      return { started: readDate(started, order), finished: readDate(finished, order), outcome }
    })
    .filter(({ started, finished }) => started || finished)
    .toSorted((a, b) => (a.finished || a.started).localeCompare(b.finished || b.started))
}
