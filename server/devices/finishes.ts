import { sql } from 'kysely'
import type { BindingEffect, Finish } from '#server/collections/connections.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { deviceWrites } from '#server/library/moment.ts'
import { openReading } from '#server/library/readings.ts'
import { selectBy } from '#server/collections/select.ts'
import { daysAfter, daysUntil, isAfter } from '#shared/partial-date.ts'
import { findCopy, positionOf } from './binding.ts'
import { listenedDays } from './reading-times.ts'

/** Days within which several ends of a book are one reading. */
const oneReading = 3

type Reading = Stored<'readings'>
type Document = Pick<Stored<'device_books'>, 'id' | 'user' | 'document' | 'book_key'>

/** A time that a book was finished, however many devices say so. */
interface End {
  day: string
  at: string
  finishes: { document: string; finish: Finish }[]
  /** What it has made of the reader's readings so far. */
  reading: Reading | null
  /** The day on which it has made that begin. */
  started: string
  /** Whether the reader has removed or changed that. */
  isLeft: boolean
}

/**
 * Makes readings of the times that a book was finished on devices, in whichever order they came:
 * two within three days are one, and a reading that the reader has entered, changed or removed stays
 * as they left it.
 *
 * @param document the one whose binding keeps what was changed about the book
 * @param known what that binding has done so far
 * @returns what it has done by now
 */
export async function applyFinishes(
  tx: LibraryTransaction,
  document: Document,
  known: BindingEffect | null,
): Promise<BindingEffect | null> {
  const copy = await findCopy(tx, document)
  if (!copy) return known
  const bound = await boundDocuments(tx, document)
  const ends = await endsOf(tx, bound)
  if (!ends.length) return known
  const all = await readingsOf(tx, document)
  const own = all.filter(({ id }) => ends.every(({ reading }) => reading?.id !== id))
  let effect = known
  for (const [at, end] of ends.entries()) {
    if (end.isLeft) continue
    if (!end.reading && own.some((one) => isNear(one, end.day))) continue
    end.reading ??= takeOver(ends.slice(at + 1), end.day)
    if (end.reading) await moveReading(tx, end, end.reading)
    else [end.reading, effect] = await addReading(tx, { document, copy, end, effect })
  }
  await dateStarts(tx, document, ends, own)
  await storeReadings(tx, bound, ends)
  return effect
}

/** Whether a reading ended about then, as far as its date is known. */
function isNear({ outcome, finished }: Reading, day: string): boolean {
  if (outcome === 'reading' || !finished) return false
  if (finished.length < 10) return day.startsWith(finished)
  return Math.abs(daysUntil(finished, day)) <= oneReading
}

/** @returns the reading that the reader had begun before a day, taken from a later end */
function takeOver(later: readonly End[], day: string): Reading | null {
  const end = later.find(
    ({ reading }) =>
      reading && reading.source !== 'device' && reading.started && !isAfter(reading.started, day),
  )
  if (!end) return null
  const { reading } = end
  end.reading = null
  return reading
}

/** Ends a reading on an earlier day than it did, as a device says by now. */
async function moveReading(tx: LibraryTransaction, end: End, reading: Reading): Promise<void> {
  const { day } = end
  if (reading.finished === day) return
  const isLater = isAfter(reading.started, day)
  // The reader began it after that.
  if (isLater && reading.source !== 'device') return
  if (isLater) end.started = ''
  const values = { finished: day, ...(isLater && { started: '' }) }
  end.reading = await tx.update('readings', reading.id, values)
}

/** Ends the reading that is open, or adds one that is over. */
async function addReading(
  tx: LibraryTransaction,
  of: { document: Document; copy: string; end: End; effect: BindingEffect | null },
): Promise<[Reading | null, BindingEffect | null]> {
  const { document, copy, end, effect } = of
  const { user, book_key } = document
  const book = await tx.find('user_books', copy)
  if (!book) return [null, effect]
  const { day } = end
  const finished = { finished: day } as const
  const recorded = recordedMinutes(end)
  const minutes = book.duration || (recorded ?? 0)
  const format = recorded === 0 ? book.format : 'audio'
  const ended = { outcome: 'finished', format, minutes } as const
  const add = () =>
    tx.create('readings', { user, book_key, source: 'device', ...finished, ...ended })
  const found = await openReading(tx, book)
  const open = found && (await tx.find('readings', found.id))
  const isOver = book.status === 'completed' || book.status === 'dropped'
  if (isOver || (open && isAfter(open.started, day))) return [await add(), effect]
  const writes = deviceWrites(tx)
  // A finish says nothing about the pages of its day.
  Object.assign(writes, { pushed: new Date(end.at), isTimed: true, created: [] })
  const after = await tx.update('user_books', copy, { status: 'completed' })
  const made = writes.created.find(({ collection }) => collection === 'readings')
  const id = open?.id ?? made?.id
  const reading = id
    ? await tx.update('readings', id, {
        ...finished,
        ...(book.format === 'audio' && { minutes }),
        ...(made && { source: 'device', ...ended }),
      })
    : await add()
  return [
    reading,
    {
      before: effect?.before ?? positionOf(book),
      after: positionOf(after),
      created: [...(effect?.created ?? []), ...writes.created.filter((one) => one !== made)],
    },
  ]
}

/** @returns how long the recording is that has ended; undefined if no device has said it */
function recordedMinutes({ finishes }: End): number | undefined {
  const minutes = finishes.map(({ finish }) => finish.minutes).filter((one) => one !== undefined)
  return minutes.length > 0 ? Math.max(...minutes) : undefined
}

/** Begins the readings that devices have made on the first day of listening since the one before. */
async function dateStarts(
  tx: LibraryTransaction,
  document: Document,
  ends: readonly End[],
  own: readonly Reading[],
): Promise<void> {
  const made = ends.filter(({ reading }) => reading?.source === 'device')
  if (!made.length) return
  const heard = await listenedDays(tx, document)
  const over = [...ends.map(({ day }) => day), ...own.map(({ finished }) => finished)]
  for (const end of made) {
    const { reading, day } = end
    // The reader has dated it.
    if (!reading || reading.started !== end.started) continue
    const started = firstHeard(heard, over, day)
    if (started === end.started) continue
    end.started = started
    await tx.update('readings', reading.id, { started })
  }
}

/** @returns the first day of listening after the last end before a day; '' for none */
function firstHeard(heard: readonly string[], over: readonly string[], day: string): string {
  const last = over.filter((one) => one && one < day).reduce((a, b) => (a > b ? a : b), '')
  return heard.find((one) => one > last && one <= day) ?? ''
}

/** Begins a reading that a device has opened when its book was first listened to, and not later. */
export async function beginWhenHeard(
  tx: LibraryTransaction,
  document: Document,
  reading: string,
  day: string,
): Promise<void> {
  const over = (await readingsOf(tx, document)).map(({ finished }) => finished)
  const started = firstHeard(await listenedDays(tx, document), over, day) || day
  await tx.update('readings', reading, { started })
}

/** @returns the ends of a book, the first first, from what its documents say */
async function endsOf(
  tx: LibraryTransaction,
  bound: readonly Stored<'device_books'>[],
): Promise<End[]> {
  const all = bound
    .flatMap(({ id, finishes }) => (finishes ?? []).map((finish) => ({ document: id, finish })))
    .toSorted((a, b) => (a.finish.at < b.finish.at ? -1 : 1))
  const ends: End[] = []
  for (const one of all) {
    const { day, at, reading, started } = one.finish
    let end = ends.at(-1)
    if (!end || day > daysAfter(end.day, oneReading))
      ends.push((end = { day, at, finishes: [], reading: null, started: '', isLeft: false }))
    end.finishes.push(one)
    if (!reading) continue
    const found = await tx.find('readings', reading)
    if (found?.outcome === 'finished' && found.finished === day)
      Object.assign(end, { reading: found, started })
    else end.isLeft = true
  }
  return ends
}

/** Notes which reading each end has made, at the first that says so. */
async function storeReadings(
  tx: LibraryTransaction,
  bound: readonly Stored<'device_books'>[],
  ends: readonly End[],
): Promise<void> {
  for (const { id, finishes } of bound) {
    const noted = (finishes ?? []).map((finish): Finish => {
      const end = ends.find((one) => one.finishes.some((other) => other.finish === finish))
      if (!end || end.isLeft) return finish
      const made = end.finishes[0]?.finish === finish ? end.reading : null
      return { ...finish, reading: made?.id ?? '', started: made ? end.started : '' }
    })
    if (JSON.stringify(noted) !== JSON.stringify(finishes ?? []))
      await tx.update('device_books', id, { finishes: noted })
  }
}

/**
 * Takes back what a document's ends have made of readings of the book that it was taken for. What
 * the reader has changed since stays.
 *
 * @returns the ends as they are then
 */
export async function releaseFinishes(
  tx: LibraryTransaction,
  { finishes }: Pick<Stored<'device_books'>, 'finishes'>,
): Promise<Finish[] | null> {
  for (const { reading, day } of finishes ?? []) {
    const found = reading ? await tx.find('readings', reading) : null
    if (found?.outcome !== 'finished' || found.finished !== day) continue
    if (found.source === 'device') await tx.delete('readings', found.id)
    else await tx.update('readings', found.id, { outcome: 'reading', finished: '', rating: 0 })
  }
  return finishes?.map((finish) => ({ ...finish, reading: '', started: '' })) ?? null
}

async function boundDocuments(tx: LibraryTransaction, { user, book_key }: Document) {
  const found: Stored<'device_books'>[] = []
  for (const { id } of await ofBook(tx, { user, book_key })) {
    const one = await tx.find('device_books', id)
    if (one) found.push(one)
  }
  return found
}

async function readingsOf(tx: LibraryTransaction, { user, book_key }: Document) {
  const found: Reading[] = []
  for (const { id } of await readings(tx, { user, book_key })) {
    const one = await tx.find('readings', id)
    if (one) found.push(one)
  }
  return found
}

const ofBook = selectBy('device_books', ['id'], ['user', 'book_key'], sql`ORDER BY id`)
const readings = selectBy('readings', ['id'], ['user', 'book_key'], sql`ORDER BY id`)
