import type { ImportedBook, ImportedReading } from '#shared/import.ts'
import { isAfter } from '#shared/partial-date.ts'
import type { Status } from '#shared/user-book.ts'
import { readingsOf } from './book-readings.ts'
import { missingReadings } from './merge.ts'

/** One of the reader's readings of a book. */
interface KnownReading extends ImportedReading {
  id: string
}

type NewReading = ReturnType<typeof readingsOf>[number]

interface MergedReadings {
  added: NewReading[]
  changed: { id: string; values: Partial<NewReading> }[]
  /** The book's status, if the row brings it further. */
  status?: Status
}

/** A row only ever brings a book further, so that it doesn't matter which export comes first. */
const further: readonly Status[] = ['planning', 'paused', 'reading', 'dropped', 'completed']

const isEnded = ({ outcome }: ImportedReading) => outcome !== 'reading'

/**
 * Finds what a row adds to a book's readings: dated ones, as many undated ones as it counts, the end
 * of one that is open, and starts that are missing. Nothing that is known is replaced.
 *
 * @param known the readings of the book
 * @param now the book's status
 */
export function mergeReadings(
  known: readonly KnownReading[],
  now: Status,
  read: ImportedBook,
): MergedReadings {
  const status = read.status || 'planning'
  const times = readingsOf(read, status)
  const ended = times.filter(isEnded)
  const begun = times.find((one) => !isEnded(one))
  const missing = missingEnds(known.filter(isEnded), ended)
  const open = known.find((one) => !isEnded(one))
  const end = open && missing.findLast((one) => canEnd(open, one))
  const { rest: added, filled } = fillUndated(
    known,
    ended,
    missing.filter((one) => one !== end),
  )
  const changed = [...missingStarts(known, times), ...filled]
  if (open && end) {
    const started = open.started || end.started
    changed.push({ id: open.id, values: knownValues({ ...end, started }) })
  }
  const isFurther = further.indexOf(status) > further.indexOf(now)
  if (status === 'completed' || status === 'dropped') {
    const isNew = missing.length > 0 && (!open || end !== undefined)
    return { added, changed, ...(isNew && isFurther && { status }) }
  }
  if (!begun || open || !isNewStart(known, now, begun)) return { added, changed }
  return { added: [...added, begun], changed, status }
}

/** Readings that have ended and aren't known: dated ones, and as many others as the row counts. */
function missingEnds(known: readonly KnownReading[], ended: readonly NewReading[]): NewReading[] {
  const dated = missingReadings(known, ended)
  const undated = (['finished', 'dropped'] as const).flatMap((outcome) => {
    const count = (all: readonly ImportedReading[]) =>
      all.filter((one) => one.outcome === outcome).length
    const more = Math.max(0, count(ended) - count(known) - count(dated))
    return ended
      .filter((one) => one.outcome === outcome && !one.started && !one.finished)
      .slice(0, more)
  })
  return [...undated, ...dated]
}

/** Gives known readings without days those of the row, where it counts no more readings than that. */
function fillUndated(
  known: readonly KnownReading[],
  ended: readonly NewReading[],
  missing: readonly NewReading[],
) {
  const rest: NewReading[] = []
  const filled: MergedReadings['changed'] = []
  const undated = known.filter((one) => isEnded(one) && !one.started && !one.finished)
  for (const one of missing) {
    const same = ({ outcome }: ImportedReading) => outcome === one.outcome
    const more = known.filter(same).length + rest.filter(same).length + 1
    const at = undated.findIndex(same)
    if (one.finished && at >= 0 && more > ended.filter(same).length)
      filled.push({ id: undated.splice(at, 1)[0]!.id, values: knownValues(one) })
    else rest.push(one)
  }
  return { rest, filled }
}

/** @returns the values that aren't empty */
const knownValues = (reading: NewReading): Partial<NewReading> =>
  Object.fromEntries(Object.entries(reading).filter(([, value]) => value))

/** Whether an open reading can be the one that has ended. */
const canEnd = (open: KnownReading, { started, finished }: ImportedReading) =>
  (!open.started || !started || open.started === started) && !isAfter(open.started, finished)

/** Starts for known readings without one that ended on the same day, or after the open one began. */
function missingStarts(known: readonly KnownReading[], times: readonly NewReading[]) {
  const starts = known.filter(({ started }) => started).map(({ started }) => started)
  const without = known
    .filter(({ started, finished }) => !started && finished)
    .toSorted((a, b) => (a.finished < b.finished ? -1 : 1))
  return times.flatMap((one) => {
    const same = isEnded(one)
      ? without.find(({ finished }) => finished === one.finished)
      : without.find(({ finished }) => !isAfter(one.started, finished))
    const isNew = one.started && !starts.includes(one.started)
    return same && isNew ? [{ id: same.id, values: { started: one.started } }] : []
  })
}

/** Whether a row's open reading began after all that is known of the book. */
function isNewStart(known: readonly KnownReading[], now: Status, { started }: NewReading): boolean {
  if (!known.length) return now === 'planning'
  return (
    started !== '' &&
    known.every(({ finished }) => finished !== '' && isAfter(started, finished)) &&
    now !== 'paused'
  )
}
