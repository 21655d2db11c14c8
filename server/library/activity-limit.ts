import { setImmediate } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { flag, named, number, perTransaction, prepared, preparedWrite } from '#records/index.ts'
import { columnsOf } from '#server/collections/select.ts'
import type { LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { plans } from '#shared/plan.ts'
import { lockShelf } from './locked-shelf.ts'

/**
 * The free plan shows a reader's newest 100 entries: to the reader the newest of all, to others the
 * newest public ones, so that hidden entries don't displace any. The settings store the date of the
 * oldest shown entry, which the rules of `activities` compare with, and the number of newer ones,
 * which is below 100, so that a new entry costs the same however many there are.
 */
interface EntryWindow {
  /** When the oldest shown entry was created; '' while all are shown. */
  since: string
  /** The number of newer entries. */
  newer: number
}

const size = plans.free.activities

/** Entries read at a time. */
const readAtOnce = 250

/** The most entries of one request. */
const manyAtOnce = 50

/** An entry that is new, or newer than before. */
interface NewEntry {
  shelf: string
  book: string
  isPrivate: boolean
  /** Its previous creation date; '' if it is new. */
  before: string
  created: string
}

/** What a transaction must count at its end, by reader; `anew` means everything. */
const uncounted = perTransaction(() => new Map<string, NewEntry[] | 'anew'>())

/** Notes an entry that is new, or newer than before; counted at the end of the transaction. */
export function countNewEntry(
  tx: LibraryTransaction,
  before: Stored<'activities'> | null,
  { user, book, shelf, isPrivate, created }: Stored<'activities'>,
): void {
  const readers = countAtEnd(tx, user)
  const known = readers.get(user) ?? []
  if (known === 'anew') return
  known.push({ shelf, book, isPrivate, before: before?.created ?? '', created })
  readers.set(user, known)
}

/** Recounts at the end of the transaction, after entries were deleted, hidden or shown. */
export function recountEntries(tx: LibraryTransaction, user: string): void {
  countAtEnd(tx, user).set(user, 'anew')
}

function countAtEnd(tx: LibraryTransaction, user: string): ReturnType<typeof uncounted> {
  tx.atEnd(`activities of ${user}`, () => updateWindows(tx, user))
  return uncounted(tx)
}

async function updateWindows(tx: LibraryTransaction, user: string): Promise<void> {
  const readers = uncounted(tx)
  const renewed = readers.get(user)
  readers.delete(user)
  // Locked, so that concurrent writes are all counted.
  const [stored] = named(await windowsOf(tx, { user }), windowColumns)
  if (!stored || !renewed) return
  const own = { since: stored.activities_since, newer: stored.activities_newer }
  const shown = { since: stored.activities_public_since, newer: stored.activities_public_newer }
  const [ownNow, shownNow] =
    renewed === 'anew'
      ? [await countWindow(tx, user, all), await countWindow(tx, user, visible)]
      : [
          await advanceWindow(tx, user, own, renewed, all),
          await advanceWindow(tx, user, shown, await shownOf(tx, renewed), visible),
        ]
  if (isSame(own, ownNow) && isSame(shown, shownNow)) return
  await storeWindows(tx, {
    user,
    since: ownNow.since,
    newer: ownNow.newer,
    sinceShown: shownNow.since,
    newerShown: shownNow.newer,
  })
}

function isSame(a: EntryWindow, b: EntryWindow): boolean {
  return a.since === b.since && a.newer === b.newer
}

async function countWindow(
  tx: LibraryTransaction,
  user: string,
  { newest }: EntryStatements,
): Promise<EntryWindow> {
  const dates: string[] = []
  let last = { created: '~', id: '' }
  for (let isEnd = false; !isEnd && dates.length < size;) {
    const entries = named(await newest(tx, { user, ...last }), newestColumns)
    for (const { created, isShown } of entries) if (isShown) dates.push(created)
    isEnd = entries.length < readAtOnce
    last = entries.at(-1) ?? last
    // SQLite calls are synchronous: let other requests run.
    if (!isEnd) await setImmediate()
  }
  const shown = dates.slice(0, size)
  const since = shown[size - 1] ?? ''
  return { since, newer: shown.filter((created) => created > since).length }
}

/** Moves the window forward by the number of entries beyond the limit. */
async function advanceWindow(
  tx: LibraryTransaction,
  user: string,
  { since, newer: known }: EntryWindow,
  renewed: readonly NewEntry[],
  entries: EntryStatements,
): Promise<EntryWindow> {
  let newer = known
  for (const { before, created } of renewed)
    newer += Number(created > since) - Number(before > since)
  const tooMany = newer - size
  if (tooMany < 0) return { since, newer }
  if (tooMany >= manyAtOnce) return countWindow(tx, user, entries)
  const [two, many] = entries.above
  const rows = await (tooMany === 0 ? two : many)!(tx, { user, since })
  const dates = named(rows, columnsOf('activities', 'created')).map(({ created }) => created)
  // One more, to see whether others have the same time as the last one.
  const [last = '', next] = dates.slice(tooMany)
  const older = dates.indexOf(last)
  const [same] =
    last === next ? named(await entries.at(tx, { user, created: last }), { entries: number }) : []
  return { since: last, newer: newer - older - (same?.entries ?? tooMany + 1 - older) }
}

/** The public entries: their books are visible on the entries' shelves. */
async function shownOf(tx: LibraryTransaction, renewed: readonly NewEntry[]): Promise<NewEntry[]> {
  const open = new Set<string>()
  for (const id of new Set(renewed.map(({ shelf }) => shelf)))
    if ((await lockShelf(tx, id))?.isPublic) open.add(id)
  const hidden = privateBooks(tx)
  const isOpen = ({ shelf, book }: NewEntry) => open.has(shelf) && !hidden.has(book)
  return renewed.filter((entry) => !entry.isPrivate && isOpen(entry))
}

/** Private books of a transaction's new entries. */
const privateBooks = perTransaction(() => new Set<string>())

/** Must be called for a book before its entry is written. */
export function setBookPrivacy(tx: LibraryTransaction, book: string, isPrivate: boolean): void {
  if (isPrivate) privateBooks(tx).add(book)
  else privateBooks(tx).delete(book)
}

const windowColumns = columnsOf(
  'settings',
  'activities_since',
  'activities_newer',
  'activities_public_since',
  'activities_public_newer',
)

const windowsOf = prepared<{ user: string }>(
  (value, { name }) => sql`SELECT activities_since, activities_newer, activities_public_since,
      activities_public_newer FROM settings WHERE "user" = ${value('user')}
    ${name === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``}`,
)

const storeWindows = preparedWrite<{
  user: string
  since: string
  newer: number
  sinceShown: string
  newerShown: number
}>(
  'settings',
  (value) => sql`UPDATE settings SET activities_since = ${value('since')},
      activities_newer = ${value('newer')}, activities_public_since = ${value('sinceShown')},
      activities_public_newer = ${value('newerShown')}
    WHERE "user" = ${value('user')}`,
)

/** Prepared statements for one kind of a reader's entries. */
type EntryStatements = ReturnType<typeof entryStatements>

function entryStatements(condition: RawBuilder<unknown>) {
  return {
    /** Entries after one of them, newest first, and whether each is of this kind. */
    newest: prepared<{ user: string; created: string; id: string }>(
      (value) => sql`SELECT a.created, a.id, CASE WHEN ${condition} THEN 1 ELSE 0 END
        FROM activities a
        WHERE a."user" = ${value('user')} AND a.created <= ${value('created')}
          AND (a.created < ${value('created')} OR a.id > ${value('id')})
        ORDER BY a.created DESC, a.id LIMIT ${sql.lit(readAtOnce)}`,
    ),
    /** Entries after a time, oldest first: two, which most writes need, or many. */
    above: [2, manyAtOnce + 1].map((max) =>
      prepared<{ user: string; since: string }>(
        (value) => sql`SELECT a.created FROM activities a
          WHERE a."user" = ${value('user')} AND a.created > ${value('since')} AND ${condition}
          ORDER BY a.created LIMIT ${sql.lit(max)}`,
      ),
    ),
    /** The number of entries with one time. */
    at: prepared<{ user: string; created: string }>(
      (value) => sql`SELECT COUNT(*) FROM activities a
        WHERE a."user" = ${value('user')} AND a.created = ${value('created')} AND ${condition}`,
    ),
  }
}

const newestColumns = { ...columnsOf('activities', 'created', 'id'), isShown: flag }

const all = entryStatements(sql`TRUE`)
const visible = entryStatements(sql`a."isPrivate" = FALSE
  AND EXISTS (SELECT 1 FROM bookshelves s WHERE s.id = a.shelf AND s.visibility = 'public')
  AND EXISTS (SELECT 1 FROM user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b.id = a.book AND b."isPrivate" = FALSE AND h.visibility = 'public')`)
