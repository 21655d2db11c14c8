import type { ImportedReading } from '#shared/import.ts'
import { findIsbn, splitList } from './cells.ts'
import { splitNames } from './people.ts'
import type { RowReader } from './row-reader.ts'
import { emptyBook, type Format } from './row.ts'

export const storygraph: Format = {
  format: 'storygraph',
  // Older exports have eight columns and no ratings.
  has: ['Title', 'Authors', 'ISBN/UID', 'Read Status'],
  read(row) {
    const uid = row.text('ISBN/UID')
    const isbn = findIsbn(uid)
    // Without an ISBN, this is StoryGraph's own id or Amazon's.
    const isId = /^(?:[\da-f]{8}-|B0)/i.test(uid)
    const status = row.status('Read Status')
    return {
      ...emptyBook,
      title: row.text('Title'),
      authors: splitNames(row.cell('Authors')),
      isbn: isId ? isbn : row.isbn('ISBN/UID'),
      status,
      status_name: row.word('Read Status'),
      tags: row.list('Tags'),
      rating: row.stars('Star Rating'),
      review: row.html('Review'),
      format: row.format('Format'),
      owned: row.isYes('Owned?') ? 1 : 0,
      added: row.date('Date Added'),
      readings: storygraphDates(row, status === 'dropped' ? 'dropped' : 'finished'),
      read_count: row.count('Read Count'),
      source_id: isbn ? '' : uid,
    }
  },
}

/**
 * Parses several readings in one cell: "2022/10/29-2022/11/28, 2021/09/14". A single date is the
 * day the book was finished.
 *
 * @returns the readings, oldest first
 */
function storygraphDates(row: RowReader, outcome: ImportedReading['outcome']): ImportedReading[] {
  const column = row.firstOf(['Dates Read', 'Last Date Read'])
  return splitList(row.cell(column))
    .map((part): ImportedReading => {
      const ends = /^([\d/.]*)-([\d/.]*)$/.exec(part) ?? /^(\S+) - (\S+)$/.exec(part)
      const [started, finished] = ends ? [ends[1] ?? '', ends[2] ?? ''] : ['', part]
      return {
        started: row.date(column, started),
        finished: row.date(column, finished),
        outcome,
      }
    })
    .filter(({ started, finished }) => started || finished)
    .toSorted((a, b) => (a.finished || a.started).localeCompare(b.finished || b.started))
}
