import type { ImportedBook, ImportedReading } from '#shared/import.ts'
import { cutText } from '#shared/text.ts'
import { joinQuotes } from './highlights.ts'
import { textAtMost } from './read-row.ts'
import { boundBook } from './row.ts'

/** Merges two rows about one book. The first row's values win. */
export function mergeBooks(first: ImportedBook, other: ImportedBook): ImportedBook {
  const readings = [...first.readings, ...missingReadings(first.readings, other.readings)]
  const when = ({ started, finished }: ImportedReading) => finished || started || '9'
  const quotes = joinQuotes(first.quotes, other.quotes)
  return boundBook({
    ...other,
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => isSaid(value))),
    ...statusOfBoth(first, other),
    tags: [...new Set([...first.tags, ...other.tags])],
    review: joinTexts(first.review, other.review),
    notes: joinTexts(first.notes, other.notes),
    ...(quotes.length > 0 && { quotes }),
    readings: readings.toSorted((a, b) => (when(a) < when(b) ? -1 : 1)),
    read_count: Math.max(
      first.read_count,
      other.read_count,
      readings.filter(({ outcome }) => outcome === 'finished').length,
    ),
  })
}

/** @returns the first row's status, unless only the other row tells more than that it is planned */
function statusOfBoth(
  first: ImportedBook,
  other: ImportedBook,
): Pick<ImportedBook, 'status' | 'status_name'> {
  const isOther = other.status && (!first.status || first.status === 'planning')
  const { status, status_name } = isOther ? other : first
  return { status, status_name }
}

const isSaid = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** Characters of joined texts; what doesn't fit a book is cut from it later, with a warning. */
const joinedAtMost = 4 * textAtMost

/** @returns both texts joined */
function joinTexts(first: string, other: string): string {
  if (!other || first.includes(other)) return first
  return cutText(first ? `${first}\n\n${other}` : other, joinedAtMost)
}

/**
 * The readings that aren't known yet. Readings are the same if they ended on the same day, or,
 * without an end, started on the same day.
 */
export function missingReadings<T extends ImportedReading>(
  known: readonly ImportedReading[],
  others: readonly T[],
): T[] {
  /** The starts of the readings that ended on a day, or that didn't end. */
  const starts = new Map<string, Set<string>>()
  const add = ({ started, finished }: ImportedReading) =>
    starts.getOrInsertComputed(finished, () => new Set()).add(started)
  const isKnown = ({ started, finished }: ImportedReading) => {
    const found = starts.get(finished)
    if (!found) return false
    return found.has(started) || (finished !== '' && (!started || found.has('')))
  }
  for (const one of known) add(one)
  return others.filter((one) => {
    if (!(one.started || one.finished) || isKnown(one)) return false
    add(one)
    return true
  })
}
