import type { ImportedBook, ImportedReading } from '#shared/import.ts'
import { fitsLength } from '#shared/text.ts'

/** Characters allowed in a review or note. */
const textAtMost = 20_000

/** Merges two rows about one book. The first row's values win. */
export function mergeBooks(first: ImportedBook, other: ImportedBook): ImportedBook {
  const readings = [...first.readings, ...missingReadings(first.readings, other.readings)]
  const when = ({ started, finished }: ImportedReading) => finished || started || '9'
  return {
    ...other,
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => isSaid(value))),
    tags: [...new Set([...first.tags, ...other.tags])],
    review: joinTexts(first.review, other.review),
    notes: joinTexts(first.notes, other.notes),
    readings: readings.toSorted((a, b) => (when(a) < when(b) ? -1 : 1)),
    read_count: Math.max(
      first.read_count,
      other.read_count,
      readings.filter(({ outcome }) => outcome === 'finished').length,
    ),
  }
}

const isSaid = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** @returns both texts joined; only the first if they are too long together */
function joinTexts(first: string, other: string): string {
  if (!other || first.includes(other)) return first
  const both = first ? `${first}\n\n${other}` : other
  return fitsLength(both, textAtMost) ? both : first
}

/**
 * The readings that aren't known yet. Readings are the same if they ended on the same day, or,
 * without an end, started on the same day.
 */
export function missingReadings<T extends ImportedReading>(
  known: readonly ImportedReading[],
  others: readonly T[],
): T[] {
  const missing: T[] = []
  const isKnown = (one: ImportedReading) =>
    [...known, ...missing].some(
      (other) =>
        other.finished === one.finished &&
        (other.started === one.started ||
          (one.finished !== '' && (!other.started || !one.started))),
    )
  for (const one of others) if ((one.started || one.finished) && !isKnown(one)) missing.push(one)
  return missing
}
