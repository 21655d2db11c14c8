import { sql } from 'kysely'
import { prepared, type Change, type Hooks, type WriteTransaction } from '#records/index.ts'
import { dayIn, isAfter, isTimeZone } from '#shared/partial-date.ts'
import type { Outcome, Reading } from '#shared/reading.ts'
import { readingForm } from '#shared/reading-form.ts'
import type { Status, UserBook } from '#shared/user-book.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'

/** How long a status can be taken back with the reading it made; milliseconds. */
const oneSitting = 10 * 60 * 1000

/** What is true about readings: they are of a reader's own books, and on days that have come. */
export function readingHooks(now: () => Date): Hooks {
  return {
    async prepare({ action, after, request }, tx) {
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(readingForm, { ...after, source: after.source || 'app' }, wrong)
      // Somewhere it is tomorrow already.
      const tomorrow = dayIn('Pacific/Kiritimati', now())
      for (const name of ['started', 'finished'] as const)
        if (form && isAfter(form[name], tomorrow)) wrong[name] ??= inTheFuture
      if (isAddedByReader(action, request) && !(await isOwnBook(tx, after)))
        wrong.book_key = unknownBook
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
    },
  }
}

/** @returns whether the reader adds a record, or has it back from the trash */
export function isAddedByReader(action: Change['action'], request: Change['request']): boolean {
  return action === 'restore' || (action === 'create' && request !== null)
}

const inTheFuture = { code: 'validation_invalid_value', message: 'This day is in the future.' }

/** What says that a record is about a book that the reader doesn't have. */
export const unknownBook = {
  code: 'validation_invalid_value',
  message: 'This book is not in your library.',
}

/** @returns whether a record is about a book of its owner */
export async function isOwnBook(
  tx: WriteTransaction,
  { user, book_key }: Record<string, unknown>,
): Promise<boolean> {
  return book_key !== '' && (await ofReader(tx, { user, book_key })).length > 0
}

const ofReader = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT 1 FROM user_books
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} LIMIT 1`,
)

/**
 * The day of a change in the reader's own zone. A zone that the browser sent with it, in the header
 * `X-Time-Zone` or the query's `time_zone`, is kept.
 *
 * @returns `YYYY-MM-DD`
 */
export async function readersDay(
  tx: WriteTransaction,
  user: string,
  request: Change['request'],
  now: Date,
): Promise<string> {
  const sent = request?.query['time_zone'] ?? request?.headers['x_time_zone'] ?? ''
  const [row] = await zones(tx, { user })
  const kept = String(row?.[1] ?? '')
  if (!isTimeZone(sent) || sent === kept) return dayIn(kept, now)
  if (row) await tx.update('settings', String(row[0]), { time_zone: sent })
  return dayIn(sent, now)
}

const zones = prepared<{ user: string }>(
  (value) => sql`SELECT id, time_zone FROM settings WHERE "user" = ${value('user')}`,
)

/** A change of a book that may begin or end a reading. */
interface StatusChange {
  before: UserBook | null
  after: UserBook
  /** The reader's own day. */
  day: string
  now: Date
  /** Whether the change takes the one before it back. */
  isUndo: boolean
}

/**
 * Opens and closes readings as a book's status says. A book that is new here may have been read at
 * any time: its reading has no days, unless it is being read.
 */
export async function updateReadings(tx: WriteTransaction, change: StatusChange): Promise<void> {
  const { before, after, isUndo } = change
  if (isUndo && before && (await takeBack(tx, change))) return
  const open = await openReading(tx, after)
  if (isOpen(after.status)) {
    if (!open && after.status === 'reading') await begin(tx, change)
  } else if (after.status === 'planning') {
    if (open) await end(tx, open.id, 'dropped', change)
  } else {
    const outcome = after.status === 'completed' ? 'finished' : 'dropped'
    if (open) await end(tx, open.id, outcome, change)
    else await create(tx, change, { finished: before ? change.day : '', outcome })
  }
}

function isOpen(status: Status): boolean {
  return status === 'reading' || status === 'paused'
}

async function begin(tx: WriteTransaction, change: StatusChange): Promise<void> {
  await create(tx, change, { started: change.day, outcome: 'reading' })
}

async function create(tx: WriteTransaction, { after }: StatusChange, values: Partial<Reading>) {
  const ended = values.outcome === 'reading' ? {} : lengthOf(after)
  const { user, book_key = '' } = after
  await tx.create('readings', { user, book_key, source: 'app', ...ended, ...values })
}

/** What is known about a book once a time through it is over. */
function lengthOf({ format, page_count, duration, rating, status }: UserBook) {
  const isRead = status === 'completed'
  return {
    format,
    pages: Math.min(page_count, 100_000),
    minutes: duration,
    rating: isRead ? rating : 0,
  }
}

async function end(
  tx: WriteTransaction,
  id: string,
  outcome: Outcome,
  { after, day }: StatusChange,
) {
  const reading = await tx.find('readings', id)
  // On a journey west the day of the end can come before that of the start.
  const started = String(reading?.['started'])
  const finished = isAfter(started, day) ? started : day
  await tx.update('readings', id, { outcome, finished, ...lengthOf(after) })
}

/** Stars that are given to a finished book are about the time that ended last. */
export async function rateReading(tx: WriteTransaction, book: UserBook): Promise<void> {
  if (book.status !== 'completed') return
  const [row] = await lastEnded(tx, keyOf(book))
  if (row) await tx.update('readings', String(row[0]), { rating: book.rating })
}

/** @returns whether the reading that the change before this one began or ended is as it was */
async function takeBack(tx: WriteTransaction, { after, now }: StatusChange): Promise<boolean> {
  const [row] = await lastChanged(tx, keyOf(after))
  if (!row || String(row[2]) < since(now)) return false
  const [id, created, updated] = row.map(String) as [string, string, string]
  if (isOpen(after.status))
    await tx.update('readings', id, { outcome: 'reading', finished: '', rating: 0 })
  else if (created === updated || created >= since(now)) await tx.delete('readings', id)
  else return false
  return true
}

function since(now: Date): string {
  return new Date(now.getTime() - oneSitting).toISOString().replace('T', ' ')
}

/** @returns the reading of a book that has no end yet */
export async function openReading(
  tx: WriteTransaction,
  book: UserBook,
): Promise<{ id: string } | null> {
  const [row] = await stillOpen(tx, keyOf(book))
  return row ? { id: String(row[0]) } : null
}

function keyOf({ user, book_key }: UserBook) {
  return { user, book_key }
}

const stillOpen = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id FROM readings
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND outcome = 'reading'
    ORDER BY created DESC, id LIMIT 1`,
)
const lastEnded = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id FROM readings
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND outcome = 'finished'
    ORDER BY updated DESC, finished DESC, id LIMIT 1`,
)
const lastChanged = prepared<Record<'user' | 'book_key', unknown>>(
  (value) => sql`SELECT id, created, updated FROM readings
    WHERE "user" = ${value('user')} AND book_key = ${value('book_key')} AND source = 'app'
    ORDER BY updated DESC, id LIMIT 1`,
)
