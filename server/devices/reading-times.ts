import { sql } from 'kysely'
import { formatDate, named, prepared, text, timeOf, type Row } from '#records/index.ts'
import type { PageTime } from '#server/collections/connections.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { openReading } from '#server/library/readings.ts'
import { clockOf } from '#server/library/today.ts'
import { selectBy, columnsOf } from '#server/collections/select.ts'
import { maxPageTimes } from '#shared/connection.ts'
import { daysAfter } from '#shared/partial-date.ts'
import { findCopy } from './binding.ts'
import {
  byReadersDay,
  listenedByDay,
  minutesByHour,
  toLoggedDay,
  withListening,
  withTimes,
  type Listened,
  type LoggedDay,
} from './page-times.ts'
import type { DocumentTimes } from './statistics-database.ts'
import { isFull } from './store-push.ts'

/** Days of a document that are written together. */
export const daysAtOnce = 50

/** Whose statistics they are, and which connection sent them. */
export interface StatisticsSender {
  user: string
  connection: string
  /** What the reader calls it. */
  name: string
}

type Times = Stored<'reading_times'>

/**
 * Stores some days of a document, and applies them if the reader has said which book it is. A
 * document that isn't known yet becomes a question for the reader. Rows that are known already, in
 * this form or a longer one, change nothing, and none is ever removed.
 *
 * @param days no more than {@link daysAtOnce}
 */
export async function storeTimes(
  tx: LibraryTransaction,
  sender: StatisticsSender,
  { document, title, authors }: Omit<DocumentTimes, 'days'>,
  days: DocumentTimes['days'],
): Promise<void> {
  const { user } = sender
  await lockReader(tx, user)
  const key = { user, document }
  const [found] = await ofDocument(tx, key)
  const known = found ? await tx.find('device_books', found.id) : null
  if (!known && (await isFull(tx, user))) return
  const { zone: time_zone, dayEnd: day_end = 0 } = await clockOf(tx, user)
  let room = maxPageTimes - Number((await pagesOf(tx, { user }))[0]?.[0])
  const changed: Times[] = []
  for (const { day, times } of days) {
    const [stored] = await ofDay(tx, { ...key, day })
    const before = stored ? await tx.find('reading_times', stored.id) : null
    const after = withTimes(before?.times ?? [], times)
    const more = (after?.length ?? 0) - (before?.pages ?? 0)
    if (!after || more > room) continue
    room -= more
    const values = { times: after, pages: after.length }
    changed.push(
      before
        ? await tx.update('reading_times', before.id, values)
        : await tx.create('reading_times', { ...key, day, time_zone, day_end, ...values }),
    )
  }
  const last = days.at(-1)?.times.at(-1)
  if (!last || (known && !changed.length && known.title)) return
  const device = await saveDocument(tx, sender, known, { document, title, authors, last })
  if (!device.book_key) return
  if (device.timed_key !== device.book_key) await tx.update('device_books', device.id, pending)
  if (takesDays(device))
    await applyTimes(tx, device, new Set(byReadersDay(changed.map(toDay)).keys()))
}

const pending = { pending: true } as const

/**
 * Whether changed days of a document are applied to its book at once. After a move to another book
 * the job applies them, when it has taken all of them back from the book before.
 */
export const takesDays = ({ book_key, timed_key }: Stored<'device_books'>): boolean =>
  book_key !== '' && (timed_key === '' || timed_key === book_key)

/** Creates a document's record, or notes what it doesn't know yet. */
async function saveDocument(
  tx: LibraryTransaction,
  { user, connection, name }: StatisticsSender,
  known: Stored<'device_books'> | null,
  { document, title, authors, last }: Omit<DocumentTimes, 'days'> & { last: PageTime },
): Promise<Stored<'device_books'>> {
  const [page, start, , pages] = last
  const at = formatDate(start * 1000)
  // Where the device is, as far as no push says it.
  const isPushed = known !== null && known.progress !== ''
  const isLatest = !isPushed && at > (known?.pushed ?? '')
  const values = {
    ...(isLatest && { pushed: at, percentage: pages > 0 ? Math.min(1, page / pages) : 0 }),
    ...(!known?.title && title && { title, authors, ...pending }),
  }
  if (known) return tx.update('device_books', known.id, values)
  return tx.create('device_books', { user, document, connection, device: name, ...values })
}

/**
 * Writes what a book's page times and listening sessions are on some days, from all documents that
 * are this book. A day without any loses the row that it had.
 *
 * @param days the reader's own
 */
export async function applyTimes(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'device_books'>, 'user' | 'book_key'>,
  days: ReadonlySet<string>,
): Promise<void> {
  const sorted = [...days].toSorted()
  if (!sorted.length) return
  // Each reader's days are within one of UTC's.
  const [first, last] = [daysAfter(sorted[0]!, -1), daysAfter(sorted.at(-1)!, 1)]
  const rows = await ofBook(tx, { user, book_key, first, last })
  const stored = named(rows, timesColumns).map(toDay)
  const times = byReadersDay(stored)
  const hours = minutesByHour(stored)
  const heard = listenedByDay(
    sessionsIn(await sessionsOfBook(tx, { user, book_key, first, last: `${last}~` })),
  )
  const copy = await findCopy(tx, { user, book_key })
  const book = copy ? await tx.find('user_books', copy) : null
  for (const day of sorted) {
    const read = times.get(day)
    const sessions = heard.get(day)
    const seen = read ? toLoggedDay(read, hours.get(day) ?? [], book?.page_count ?? 0) : null
    const logged = sessions ? withListening(seen, sessions) : seen
    await logDay(tx, { user, book_key, day }, logged, { book, hasPages: seen !== null })
  }
}

/** @param rows of {@link sessionColumns} */
function sessionsIn(rows: readonly Row[]): Listened[] {
  return named(rows, listeningColumns).map(({ started, time_zone, day_end, ...session }) => ({
    ...session,
    start: timeOf(started) / 1000,
    zone: time_zone,
    dayEnd: day_end,
  }))
}

/** @returns the reader's days on which a book was listened to, the first first */
export async function listenedDays(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'device_books'>, 'user' | 'book_key'>,
): Promise<string[]> {
  const rows = await sessionsOfBook(tx, { user, book_key, first: '', last: '~' })
  return [...listenedByDay(sessionsIn(rows)).keys()].toSorted()
}

/** Writes, replaces or deletes the row of a day that comes from devices' statistics. */
async function logDay(
  tx: LibraryTransaction,
  key: { user: string; book_key: string; day: string },
  logged: LoggedDay | null,
  { book, hasPages }: { book: Stored<'user_books'> | null; hasPages: boolean },
): Promise<void> {
  const all = await loggedOn(tx, key)
  const rows = all.filter(({ source }) => source === 'device')
  const timed = rows.find(({ minutes }) => minutes > 0)
  if (!logged) {
    if (timed) await tx.delete('progress_log', timed.id)
    return
  }
  // What pushes have logged on that day, whose pages the statistics have, too.
  if (hasPages) for (const { id } of rows) if (id !== timed?.id) await tx.delete('progress_log', id)
  const values = {
    ...logged,
    // The pages that the reader has entered count, not the device's beside them.
    ...(rows.length < all.length && { from: logged.to }),
    at: formatDate(logged.at),
  }
  if (timed) await tx.update('progress_log', timed.id, values)
  else {
    const reading = (book && (await openReading(tx, book))?.id) ?? ''
    await tx.create('progress_log', { ...key, ...values, reading, source: 'device' })
  }
}

/**
 * Applies some of a document's days to a book, which is the one that the reader has said it is, or
 * from which they are to be taken back.
 *
 * @param after the last day in UTC that has been applied; '' for none
 * @returns the last one that is applied now; null for the end
 */
export async function applyNextDays(
  tx: LibraryTransaction,
  { user, document }: Pick<Stored<'device_books'>, 'user' | 'document'>,
  book_key: string,
  after: string,
): Promise<string | null> {
  const found = named(await daysOfDocument(tx, { user, document, after }), { day: text })
  const [first, last] = [found[0]?.day, found.at(-1)?.day]
  if (!first || !last) return null
  const of = { user, document, first, last }
  const rows = named(await timesBetween(tx, of), timesColumns).map(toDay)
  const heard = sessionsIn(await sessionsBetween(tx, { ...of, last: `${last}~` }))
  const days = new Set([...byReadersDay(rows).keys(), ...listenedByDay(heard).keys()])
  await applyTimes(tx, { user, book_key }, days)
  return found.length < daysAtOnce ? null : last
}

/** @returns whether a book's statistics have come lately, as seen from a day */
export async function isTimed(
  tx: LibraryTransaction,
  { user, book_key }: Pick<Stored<'device_books'>, 'user' | 'book_key'>,
  day: string,
): Promise<boolean> {
  const [first, last] = [daysAfter(day, -timedFor), daysAfter(day, 1)]
  return (await anyOfBook(tx, { user, book_key, first, last })).length > 0
}

/** Days after which a device that sent statistics isn't expected to send more. */
const timedFor = 7

const timesColumns = columnsOf('reading_times', 'times', 'time_zone', 'day_end')
const toDay = ({ times, time_zone, day_end }: Pick<Times, 'times' | 'time_zone' | 'day_end'>) => ({
  times: times ?? [],
  zone: time_zone,
  dayEnd: day_end,
})

const ofDocument = selectBy('device_books', ['id'], ['user', 'document'])
const pagesOf = prepared<{ user: unknown }>(
  (value) => sql`SELECT COALESCE(SUM(pages), 0) FROM reading_times WHERE "user" = ${value('user')}`,
)
const ofDay = selectBy('reading_times', ['id'], ['user', 'document', 'day'])
const daysOfDocument = prepared<Record<'user' | 'document' | 'after', unknown>>(
  (value) => sql`SELECT day FROM
    (SELECT day FROM reading_times
      WHERE "user" = ${value('user')} AND document = ${value('document')}
    UNION SELECT SUBSTR(started, 1, 10) AS day FROM listening_sessions
      WHERE "user" = ${value('user')} AND document = ${value('document')}) days
    WHERE day > ${value('after')} ORDER BY day LIMIT ${sql.lit(daysAtOnce)}`,
)
const timesBetween = prepared<Record<'user' | 'document' | 'first' | 'last', unknown>>(
  (value) => sql`SELECT times, time_zone, day_end FROM reading_times
    WHERE "user" = ${value('user')} AND document = ${value('document')}
      AND day BETWEEN ${value('first')} AND ${value('last')} ORDER BY day`,
)
const ofBook = prepared<Record<'user' | 'book_key' | 'first' | 'last', unknown>>(
  (value) => sql`SELECT t.times, t.time_zone, t.day_end FROM device_books d
    JOIN reading_times t ON t."user" = d."user" AND t.document = d.document
    WHERE d."user" = ${value('user')} AND d.book_key = ${value('book_key')}
      AND t.day BETWEEN ${value('first')} AND ${value('last')}
    ORDER BY t.document, t.day`,
)
const sessionFields = [
  ...(['started', 'time_zone', 'day_end', 'seconds', 'from', 'to', 'length'] as const),
] as const
const listeningColumns = columnsOf('listening_sessions', ...sessionFields)
const sessionColumns = sql.join(sessionFields.map((name) => sql.ref(`s.${name}`)))
const sessionsBetween = prepared<Record<'user' | 'document' | 'first' | 'last', unknown>>(
  (value) => sql`SELECT ${sessionColumns} FROM listening_sessions s
    WHERE s."user" = ${value('user')} AND s.document = ${value('document')}
      AND s.started BETWEEN ${value('first')} AND ${value('last')} ORDER BY s.id`,
)
const sessionsOfBook = prepared<Record<'user' | 'book_key' | 'first' | 'last', unknown>>(
  (value) => sql`SELECT ${sessionColumns} FROM device_books d
    JOIN listening_sessions s ON s."user" = d."user" AND s.document = d.document
    WHERE d."user" = ${value('user')} AND d.book_key = ${value('book_key')}
      AND s.started >= ${value('first')} AND s.started <= ${value('last')}`,
)
const anyOfBook = prepared<Record<'user' | 'book_key' | 'first' | 'last', unknown>>(
  (value) => sql`SELECT 1 FROM device_books d
    JOIN reading_times t ON t."user" = d."user" AND t.document = d.document
    WHERE d."user" = ${value('user')} AND d.book_key = ${value('book_key')}
      AND t.day BETWEEN ${value('first')} AND ${value('last')} LIMIT 1`,
)
const loggedOn = selectBy(
  'progress_log',
  ['id', 'source', 'minutes'],
  ['user', 'book_key', 'day'],
  sql`ORDER BY minutes DESC, id`,
)
