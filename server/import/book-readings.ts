import type { ImportedBook, ImportedReading } from '#shared/import.ts'
import type { Status } from '#shared/user-book.ts'

/**
 * Times a book can have been read. A file with a higher number has something else in that column.
 */
const timesAtMost = 100

/**
 * The readings in a row: those with dates, and undated ones for those it only counts. The last
 * finished reading gets the rating.
 *
 * @param status the book's status in the library
 */
export function readingsOf(
  { readings, read_count, rating, pages, format }: ImportedBook,
  status: Status,
) {
  const isReading = status === 'reading' || status === 'paused'
  const dated = readings.map((one) => (isReading && !one.finished ? asOpen(one) : one))
  const ended = status === 'dropped' ? 'dropped' : 'finished'
  const known = dated.filter(({ outcome }) => outcome !== 'reading').length
  const least = status === 'completed' || status === 'dropped' ? 1 : 0
  const times = Math.min(Math.max(isReading ? 0 : read_count, least), timesAtMost)
  const undated = Array.from({ length: Math.max(0, times - known) }, () => without(ended))
  const isOpen = dated.some(({ outcome }) => outcome === 'reading')
  const open = isReading && !isOpen ? [without('reading')] : []
  const all = [...undated, ...dated, ...open]
  const last = all.findLastIndex(({ outcome }) => outcome === 'finished')
  return all.map((one, at) => ({
    ...one,
    format,
    pages: one.outcome === 'reading' ? 0 : pages,
    rating: at === last && status === 'completed' ? rating : 0,
  }))
}

const without = (outcome: ImportedReading['outcome']): ImportedReading => ({
  started: '',
  finished: '',
  outcome,
})

const asOpen = ({ started }: ImportedReading): ImportedReading => ({
  ...without('reading'),
  started,
})
