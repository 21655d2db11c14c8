import { sql } from 'kysely'
import { formatDate, prepared } from '#records/index.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { Finish } from '#server/collections/connections.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { clockOf, dayOn, type ReadersClock } from '#server/library/today.ts'
import { bookKeyOfIsbns } from '#server/library/own-books.ts'
import { selectBy } from '#server/collections/select.ts'
import { maxFinishes, maxListeningSessions } from '#shared/connection.ts'
import { maxMinutes } from '#shared/reading-form.ts'
import { recentPushes, withPush } from './pushes.ts'
import { applyTimes, takesDays, type StatisticsSender } from './reading-times.ts'
import { isFull } from './store-push.ts'

/** A time for which a reader has listened, as a service has it. */
export interface Session {
  id: string
  /** Milliseconds since 1970. */
  started: number
  /** Seconds; see `listening_sessions`. */
  seconds: number
  from: number
  to: number
  length: number
}

/** What a service knows about a book that a reader listens to. */
export interface ListenedBook {
  document: string
  title: string
  authors: string[]
  /** ISBNs in any form; one of the reader's books with the first that any has is this book. */
  isbns: readonly string[]
  sessions: readonly Session[]
  /** 0 to 1. */
  percentage: number
  /** When the service last changed any of this, in milliseconds since 1970. */
  changed: number
  /** When it was finished, in the same; 0 while it isn't. */
  finished: number
  /** Seconds of the recording, of which {@link sessions} tell what was heard; 0 for an e-book. */
  duration: number
}

/**
 * Stores what a service knows about a book, to be applied by the job. What is known already, in this
 * form or a longer one, changes nothing; a finish that is cleared there, or a position further back,
 * takes nothing away here.
 *
 * @param isSettled whether the service has told everything up to `changed`
 * @returns false if the reader has too many documents for a new one
 */
export async function storeListening(
  tx: LibraryTransaction,
  sender: StatisticsSender,
  book: ListenedBook,
  { now, isSettled = true }: { now: Date; isSettled?: boolean },
): Promise<boolean> {
  const { user, connection, name } = sender
  const { document, title, authors, percentage, changed } = book
  await lockReader(tx, user)
  const [found] = await ofDocument(tx, { user, document })
  const known = found ? await tx.find('device_books', found.id) : null
  if (!known && (await isFull(tx, user))) return false
  const clock = await clockOf(tx, user)
  // What another clock puts into the future is taken once it is past.
  const isPast = (at: number) => at <= now.getTime()
  const sessions = book.sessions.filter(({ started }) => isPast(started))
  const finished = isPast(book.finished) ? book.finished : 0
  const isWhole =
    isSettled && sessions.length === book.sessions.length && finished === book.finished
  const days = await storeSessions(tx, { user, document, clock }, sessions)
  const finishes = withFinish(known?.finishes ?? none, { finished, clock, duration: book.duration })
  const isLatest = changed >= (known?.seen ?? 0)
  const stored = recentPushes(known?.pushes ?? null, now)
  const at = new Date(Math.min(changed, now.getTime()))
  const push = {
    day: dayOn(clock, at),
    at: at.toISOString(),
    percent: hundredths(percentage * 100),
    ...(book.duration > 0 && { isTimed: true as const }),
  }
  const previous = hundredths((known?.percentage ?? 0) * 100)
  // A finish says it better.
  const isMoved = isLatest && book.finished === 0
  const pushed = isMoved ? withPush(stored, previous, push) : stored
  const isNew =
    days.size > 0 || finishes !== (known?.finishes ?? none) || pushed !== stored || known?.pending
  const values = {
    connection,
    device: name,
    pushes: [...recentPushes(pushed, now)],
    finishes: [...finishes],
    pending: isNew === true,
    ...(isLatest && { percentage, pushed: formatDate(at) }),
    ...(isLatest && isWhole && { seen: changed }),
    ...(title && { title, authors }),
  }
  // By itself only once: the reader may have said that it is another book.
  const book_key = known ? known.book_key : await bookKeyOfIsbns(tx, user, book.isbns)
  const saved = known
    ? await tx.update('device_books', known.id, values)
    : await tx.create('device_books', { user, document, book_key, ...values, pending: true })
  // The job applies those of a book that is new.
  if (known && takesDays(saved)) await applyTimes(tx, saved, days)
  return true
}

const hundredths = (value: number) => Math.round(value * 100) / 100

const none: readonly Finish[] = []

/** @returns the same list if nothing is new */
function withFinish(
  known: readonly Finish[],
  { finished, clock, duration }: { finished: number; clock: ReadersClock; duration: number },
): readonly Finish[] {
  if (finished <= 0) return known
  const at = new Date(finished).toISOString()
  if (known.length >= maxFinishes || known.some((one) => one.at === at)) return known
  const day = dayOn(clock, new Date(finished))
  const minutes = Math.min(Math.round(duration / 60), maxMinutes)
  return [...known, { at, day, minutes, reading: '', started: '' }]
}

/** @returns the reader's days whose sessions have changed */
async function storeSessions(
  tx: LibraryTransaction,
  { user, document, clock }: { user: string; document: string; clock: ReadersClock },
  sessions: readonly Session[],
): Promise<Set<string>> {
  const days = new Set<string>()
  if (!sessions.length) return days
  let room = maxListeningSessions - Number((await countOf(tx, { user }))[0]?.[0])
  const rows = await ofItem(tx, { user, document })
  const known = new Map(rows.map((row) => [row.session, row]))
  for (const { id: session, started, seconds, from, to, length } of sessions) {
    const before = known.get(session)
    const isGrown =
      !before || seconds > before.seconds || (seconds === before.seconds && to > before.to)
    if (!isGrown || (!before && room <= 0)) continue
    const values = { started: formatDate(started), seconds, from, to, length }
    if (before) await tx.update('listening_sessions', before.id, values)
    else {
      room--
      const { zone, dayEnd = 0 } = clock
      const made = { user, document, session, time_zone: zone, day_end: dayEnd, ...values }
      const { id } = await tx.create('listening_sessions', made)
      known.set(session, { id, session, time_zone: zone, day_end: dayEnd, seconds, to })
    }
    const own = before ? { zone: before.time_zone, dayEnd: before.day_end } : clock
    days.add(dayOn(own, new Date(started)))
  }
  return days
}

const ofDocument = selectBy('device_books', ['id'], ['user', 'document'])
const countOf = prepared<{ user: unknown }>(
  (value) => sql`SELECT COUNT(*) FROM listening_sessions WHERE "user" = ${value('user')}`,
)
const ofItem = selectBy(
  'listening_sessions',
  ['id', 'session', 'time_zone', 'day_end', 'seconds', 'to'],
  ['user', 'document'],
)
