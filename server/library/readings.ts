import { sql } from 'kysely'
import { type Change, named, prepared, text } from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { dayIn, isAfter, isPartialDate, type PartialDate } from '#shared/partial-date.ts'
import type { Outcome } from '#shared/reading.ts'
import { readingFactsForm, readingForm } from '#shared/reading-form.ts'
import type { Status } from '#shared/user-book.ts'
import { fieldError } from '#server/http/field-error.ts'
import { selectBy } from '#server/collections/select.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { createdWith, sittingOf, type Moment } from './moment.ts'
import { storeFinishes } from './finished-days.ts'
import { finishOf, markRereads } from './reading-facts.ts'
import { setVisible } from './visible-entries.ts'

/** Hooks of readings: they belong to a reader's own books and have no future dates. */
export function readingHooks(now: () => Date): LibraryHooks<'readings'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after) return markRereads(tx, before, null)
      const wrong: FieldProblems = {}
      const form = checkSchema(readingForm, { ...after, source: after.source || 'app' }, wrong)
      const facts = checkSchema(readingFactsForm, after, wrong)
      for (const name of ['started', 'finished'] as const)
        if (form && isInFuture(form[name], now())) wrong[name] ??= inTheFuture
      if (isAddedByReader(action, request) && !(await isOwnBook(tx, after)))
        wrong.book_key = unknownBook
      throwFieldErrors(action, wrong)
      Object.assign(after, form, facts)
      if (action !== 'update') Object.assign(after, await setVisible(tx, after))
      await markRereads(tx, before, after)
    },

    async applied({ before, after }, tx) {
      const reading = after ?? before
      if (reading && finishOf(before) !== finishOf(after)) await storeFinishes(tx, reading)
    },
  }
}

/** @returns whether the reader adds a record or restores it from the trash */
export function isAddedByReader(action: Change['action'], request: Change['request']): boolean {
  return action === 'restore' || (action === 'create' && request !== null)
}

const inTheFuture = fieldError('dayInFuture')

/** @returns whether a date has begun nowhere yet */
function isInFuture(date: PartialDate, now: Date): boolean {
  // The time zone in which a day begins first.
  return isAfter(date, dayIn('Pacific/Kiritimati', now))
}

/**
 * When the reader of a completed book says they finished it, in the query's `finished`: a day, a
 * month or a year; '' if they don't know.
 *
 * @returns undefined if they don't say
 * @throws ApiError 400 for what is no date, or in the future
 */
export function finishedOn(request: Change['request'], now: Date): PartialDate | undefined {
  const date = request?.query['finished']
  if (date === undefined) return undefined
  const wrong: FieldProblems = {}
  if (!isPartialDate(date)) wrong.finished = fieldError('date')
  else if (isInFuture(date, now)) wrong.finished = inTheFuture
  throwFieldErrors('update', wrong)
  return date
}

/** The error of a record about a book that the reader doesn't have. */
export const unknownBook = fieldError('bookUnknown')

/** @returns whether a record is about one of its owner's books */
export async function isOwnBook(
  tx: LibraryTransaction,
  { user, book_key }: { user: string; book_key: string },
): Promise<boolean> {
  return book_key !== '' && (await ofReader(tx, { user, book_key })).length > 0
}

const ofReader = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT 1 FROM user_books
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} LIMIT 1`,
)

/** A change of a book that may start or end a reading. */
interface StatusChange {
  before: Stored<'user_books'> | null
  after: Stored<'user_books'>
  /** The reader's own. */
  day: string
  /** See {@link finishedOn}. */
  finished?: PartialDate | undefined
  moment: Moment
  /** Whether the change undoes the one before. */
  isUndo: boolean
}

/**
 * Opens and closes readings according to a book's status. The reading of a book that is new here
 * has no dates, as it may have been read at any time, unless the status is Reading.
 */
export async function updateReadings(tx: LibraryTransaction, change: StatusChange): Promise<void> {
  const { before, after, isUndo } = change
  if (isUndo && before && (await takeBack(tx, change))) return
  const open = await openReading(tx, after)
  if (isOpen(after.status)) {
    if (!open && after.status === 'reading') await begin(tx, change)
  } else if (after.status === 'planning') {
    if (open) await end(tx, open.id, 'dropped', change)
  } else {
    const outcome = after.status === 'completed' ? 'finished' : 'dropped'
    const { finished = before ? change.day : '' } = change
    if (open) await end(tx, open.id, outcome, change)
    else await create(tx, change, { finished, outcome })
  }
}

function isOpen(status: Status | ''): boolean {
  return status === 'reading' || status === 'paused'
}

async function begin(tx: LibraryTransaction, change: StatusChange): Promise<void> {
  await create(tx, change, { started: change.day, outcome: 'reading' })
}

async function create(
  tx: LibraryTransaction,
  { after }: StatusChange,
  values: Partial<Stored<'readings'>>,
) {
  const ended = values.outcome === 'reading' ? {} : lengthOf(after)
  const { user, book_key } = after
  await createdWith(tx, 'readings', { user, book_key, source: 'app', ...ended, ...values })
}

/** The book's data that a finished reading keeps. */
function lengthOf({ format, page_count, duration, rating, status }: Stored<'user_books'>) {
  const isRead = status === 'completed'
  return {
    format,
    pages: Math.min(page_count, 100_000),
    minutes: duration,
    rating: isRead ? rating : 0,
  }
}

async function end(
  tx: LibraryTransaction,
  id: string,
  outcome: Outcome,
  { after, day, finished }: StatusChange,
) {
  const reading = await tx.find('readings', id)
  const started = reading?.started ?? ''
  // A reader who travels west can finish on an earlier date than they started.
  const days =
    finished === undefined
      ? { finished: isAfter(started, day) ? started : day }
      : endedOn(started, finished)
  await tx.update('readings', id, { outcome, ...days, ...lengthOf(after) })
}

/** Whoever finished a book before the day on which they said so had begun it earlier, too. */
function endedOn(started: PartialDate, finished: PartialDate) {
  return isAfter(started, finished) ? { started: '', finished } : { finished }
}

/** Dates the latest finished reading of a book that stays completed; see {@link finishedOn}. */
export async function dateReading(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
  finished: PartialDate | undefined,
): Promise<void> {
  if (finished === undefined || book.status !== 'completed') return
  const [last] = await lastEnded(tx, keyOf(book))
  const reading = last && (await tx.find('readings', last.id))
  if (reading) await tx.update('readings', reading.id, endedOn(reading.started, finished))
}

/** Copies the rating of a finished book to its latest finished reading. */
export async function rateReading(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
): Promise<void> {
  if (book.status !== 'completed') return
  const [reading] = await lastEnded(tx, keyOf(book))
  if (reading) await tx.update('readings', reading.id, { rating: book.rating })
}

/** @returns whether the previous change's effect on a reading was undone */
async function takeBack(tx: LibraryTransaction, change: StatusChange): Promise<boolean> {
  const { after, moment } = change
  const sitting = sittingOf(moment)
  const rows = await lastChanged(tx, { ...keyOf(after), ...sitting })
  const [last] = named(rows, { id: text, created: text, updated: text })
  if (!last) return false
  const { id, created, updated } = last
  if (isOpen(after.status))
    await tx.update('readings', id, { outcome: 'reading', finished: '', rating: 0 })
  else if (created === updated || (created >= sitting.from && created <= sitting.to))
    await tx.delete('readings', id)
  else return false
  return true
}

/** @returns a book's open reading */
export async function openReading(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
): Promise<{ id: string } | null> {
  const [open] = await stillOpen(tx, keyOf(book))
  return open ?? null
}

function keyOf({ user, book_key }: Stored<'user_books'>) {
  return { user, book_key }
}

const stillOpen = selectBy(
  'readings',
  ['id'],
  ['user', 'book_key'],
  sql`AND outcome = 'reading' ORDER BY created DESC, id LIMIT 1`,
)
const lastEnded = selectBy(
  'readings',
  ['id'],
  ['user', 'book_key'],
  sql`AND outcome = 'finished' ORDER BY updated DESC, finished DESC, id LIMIT 1`,
)
const lastChanged = prepared<Record<'user' | 'book_key' | 'from' | 'to', unknown>>(
  (value) => sql`SELECT id, created, updated FROM readings
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND source = 'app'
      AND updated BETWEEN ${value('from')} AND ${value('to')}
    ORDER BY updated DESC, id LIMIT 1`,
)
