import type { ImportedBook, ImportedReading } from '#shared/import.ts'
import { fitsLength } from '#shared/text.ts'

/** Characters that a review and a note have room for. */
const textAtMost = 20_000

/** What the first says stands; what it lacks comes from the other. */
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

/** @returns one text with what both say; the first alone where there is no room for more */
function joinTexts(first: string, other: string): string {
  if (!other || first.includes(other)) return first
  const both = first ? `${first}\n\n${other}` : other
  return fitsLength(both, textAtMost) ? both : first
}

/**
 * Readings that aren't among those known: the same day they were finished makes two the same, and
 * for those without one, the day they were started.
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
