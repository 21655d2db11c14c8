import { sql } from 'kysely'
import { formatDate } from '#records/index.ts'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { selectBy } from '#server/collections/select.ts'
import type { ProgressUnit } from '#shared/reading.ts'
import { progressLogForm } from '#shared/reading-form.ts'
import { createdWith, deviceWrites } from './moment.ts'
import { isOwnBook, unknownBook, openReading } from './readings.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'

/** Hooks of the progress log: a row belongs to a reader's own book and reading. */
export function progressLogHooks(now: () => Date): LibraryHooks<'progress_log'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after) return
      const wrong: FieldProblems = {}
      const form = checkSchema(progressLogForm, { ...after, source: after.source || 'app' }, wrong)
      if (request && !before && !(await isOwnBook(tx, after))) wrong.book_key = unknownBook
      if (
        request &&
        after.reading &&
        after.reading !== before?.reading &&
        !(await isOwnReading(tx, after))
      )
        wrong.reading = noSuchReading
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
      after.at ||= formatDate(now())
    },
  }
}

const noSuchReading = {
  code: 'validation_missing_rel_records',
  message: 'Failed to find all relation records with the provided ids.',
}

async function isOwnReading(tx: LibraryTransaction, log: Stored<'progress_log'>): Promise<boolean> {
  const reading = await tx.find('readings', log.reading)
  return reading?.user === log.user && reading.book_key === log.book_key
}

/** A reader's position, in the unit they use. */
function positionIn(book: Stored<'user_books'>): { unit: ProgressUnit; at: number } {
  if (book.format === 'audio' && book.duration > 0)
    return { unit: 'minutes', at: book.progress_minutes }
  if (book.page_count > 0 || book.progress > 0) return { unit: 'pages', at: book.progress }
  return { unit: 'percent', at: book.progress_percent }
}

/**
 * Logs a reader's progress, one row a day: from the day's first position to the current one.
 *
 * @param day the reader's own
 */
export async function logProgress(
  tx: LibraryTransaction,
  before: Stored<'user_books'>,
  after: Stored<'user_books'>,
  { day, now }: { day: string; now: Date },
): Promise<void> {
  if (deviceWrites(tx).isTimed) return
  const { unit, at: to } = positionIn(after)
  const was = positionIn({ ...after, ...progressOf(before) })
  if (was.at === to || to > 100_000) return
  const { user, book_key } = after
  const at = formatDate(now)
  const source = deviceWrites(tx).pushed ? 'device' : 'app'
  const [log] = await ofDay(tx, { user, book_key, day, unit, source })
  if (log) await tx.update('progress_log', log.id, { to, at })
  else {
    const reading = (await openReading(tx, after))?.id ?? ''
    const from = Math.min(was.at, 100_000)
    const values = { user, book_key, reading, day, at, unit, from, to, source } as const
    await createdWith(tx, 'progress_log', values)
    if (source === 'app') await countInstead(tx, { user, book_key, day })
  }
}

/**
 * Begins another row for the day's pages, as those of another edition don't continue them.
 *
 * @param book as the other edition
 * @param change.isUndo takes the row back, if nothing was read since
 */
export async function splitLog(
  tx: LibraryTransaction,
  book: Stored<'user_books'>,
  { day, now, isUndo }: { day: string; now: Date; isUndo: boolean },
): Promise<void> {
  const { unit, at: page } = positionIn(book)
  if (unit !== 'pages' || page > 100_000) return
  const { user, book_key } = book
  const key = { user, book_key, day, unit, source: 'app' } as const
  const [last] = await ofDay(tx, key)
  const log = last && (await tx.find('progress_log', last.id))
  if (!log) return
  const isEmpty = log.from === log.to
  if (isUndo && isEmpty) await tx.delete('progress_log', log.id)
  else if (!isUndo && !isEmpty) {
    const { reading } = log
    const at = formatDate(now)
    await createdWith(tx, 'progress_log', { ...key, reading, at, from: page, to: page })
  }
}

/** Keeps the reading time that a device has logged on a day, whose pages the reader has entered. */
async function countInstead(
  tx: LibraryTransaction,
  key: Record<'user' | 'book_key' | 'day', string>,
): Promise<void> {
  for (const { id, to } of await timedOn(tx, key)) await tx.update('progress_log', id, { from: to })
}

const timedOn = selectBy(
  'progress_log',
  ['id', 'to'],
  ['user', 'book_key', 'day'],
  sql`AND source = 'device' AND minutes > 0`,
)

/** @returns how far a reader is in a book, in each unit */
export function progressOf({ progress, progress_percent, progress_minutes }: Stored<'user_books'>) {
  return { progress, progress_percent, progress_minutes }
}

const ofDay = selectBy(
  'progress_log',
  ['id'],
  ['user', 'book_key', 'day', 'unit', 'source'],
  sql`ORDER BY "at" DESC, id LIMIT 1`,
)
