import { sql, type RawBuilder } from 'kysely'
import { prepared, type Row, type WriteTransaction } from '#records/index.ts'
import type { Activity } from '#shared/activity.ts'
import { plans } from '#shared/plan.ts'

/**
 * On the free plan a reader's newest 100 entries are shown: to the reader the newest of all, to
 * others the newest of those that everybody may see, so that what is hidden pushes nothing out of
 * their sight. Since when that is stands in the reader's settings, and the rules of `activities`
 * compare with it; older entries stay. Beside it stands how many entries are newer, always fewer
 * than 100: so a new entry costs the same however many there are.
 */
interface Window {
  /** When the oldest one shown was created; '' as long as all of them are. */
  since: string
  /** How many are newer than that. */
  newer: number
}

const size = plans.free.activities

/** An entry that is there from now on, or is newer than it was. */
interface Renewed {
  shelf: string
  isPrivate: boolean
  /** When it was created before that, '' if it was not there. */
  before: string
  created: string
}

/** What a transaction has to count at its end, by reader; `anew` is everything. */
type Counting = Map<string, Renewed[] | 'anew'>
const counting = new WeakMap<WriteTransaction, Counting>()

/** Counts an entry that is new, or newer than it was; done at the end of the transaction. */
export function countRenewed(
  tx: WriteTransaction,
  before: Activity | null,
  { user, shelf, isPrivate, created }: Activity,
): void {
  const all = leave(tx, user)
  const known = all.get(user) ?? []
  if (known === 'anew') return
  all.set(user, [...known, { shelf, isPrivate, before: before?.created ?? '', created }])
}

/** Counts anew, where entries went or were hidden or shown; once, at the end of the transaction. */
export function refreshActivityLimit(tx: WriteTransaction, user: string): void {
  leave(tx, user).set(user, 'anew')
}

function leave(tx: WriteTransaction, user: string): Counting {
  let all = counting.get(tx)
  if (!all) counting.set(tx, (all = new Map()))
  tx.atLast(`activities of ${user}`, () => settle(tx, user))
  return all
}

async function settle(tx: WriteTransaction, user: string): Promise<void> {
  const renewed = counting.get(tx)?.get(user)
  counting.get(tx)?.delete(user)
  // Locked: two that write at once must not each count without the other.
  const [stored] = await windowsOf(tx, { user })
  if (!stored || !renewed) return
  const [own, shown] = [readWindow(stored), readWindow(stored.slice(2))]
  const [ownNow, shownNow] =
    renewed === 'anew'
      ? [await measured(tx, user, newest), await measured(tx, user, newestShown)]
      : [
          await moved(tx, user, own, renewed, groups),
          await moved(tx, user, shown, await shownOf(tx, renewed), groupsShown),
        ]
  if (isSame(own, ownNow) && isSame(shown, shownNow)) return
  await keep(tx, {
    user,
    since: ownNow.since,
    newer: ownNow.newer,
    sinceShown: shownNow.since,
    newerShown: shownNow.newer,
  })
}

function readWindow([since, newer]: Row): Window {
  return { since: String(since), newer: Number(newer) }
}

function isSame(a: Window, b: Window): boolean {
  return a.since === b.since && a.newer === b.newer
}

async function measured(tx: WriteTransaction, user: string, entries: typeof newest) {
  const dates = (await entries(tx, { user })).map(([created]) => String(created))
  const since = dates[size - 1] ?? ''
  return { since, newer: dates.filter((created) => created > since).length }
}

/** The window after entries came: it moves up by as many as are too many. */
async function moved(
  tx: WriteTransaction,
  user: string,
  { since, newer }: Window,
  renewed: readonly Renewed[],
  above: typeof groups,
): Promise<Window> {
  for (const { before, created } of renewed)
    newer += Number(created > since) - Number(before > since)
  if (newer < size) return { since, newer }
  for (const [created, many] of await above(tx, { user, since, most: newer - size + 1 })) {
    since = String(created)
    newer -= Number(many)
    if (newer < size) break
  }
  return { since, newer }
}

/** Those that everybody may see: their books are on the shelves they tell of. */
async function shownOf(tx: WriteTransaction, renewed: readonly Renewed[]): Promise<Renewed[]> {
  const open = new Set<string>()
  for (const shelf of new Set(renewed.map((entry) => entry.shelf)))
    if ((await openShelf(tx, { shelf })).length) open.add(shelf)
  return renewed.filter(({ shelf, isPrivate }) => !isPrivate && open.has(shelf))
}

const openShelf = prepared<{ shelf: string }>(
  (value) => sql`SELECT 1 FROM bookshelves WHERE id = ${value('shelf')} AND visibility = 'public'`,
)

const windowsOf = prepared<{ user: string }>(
  (value, { name }) => sql`SELECT activities_since, activities_newer, activities_public_since,
      activities_public_newer FROM settings WHERE "user" = ${value('user')}
    ${name === 'postgres' ? sql`FOR NO KEY UPDATE` : sql``}`,
)

const keep = prepared<{
  user: string
  since: string
  newer: number
  sinceShown: string
  newerShown: number
}>(
  (value) => sql`UPDATE settings SET activities_since = ${value('since')},
      activities_newer = ${value('newer')}, activities_public_since = ${value('sinceShown')},
      activities_public_newer = ${value('newerShown')}
    WHERE "user" = ${value('user')}`,
)

const isShown = sql`a."isPrivate" = FALSE
  AND EXISTS (SELECT 1 FROM bookshelves s WHERE s.id = a.shelf AND s.visibility = 'public')
  AND EXISTS (SELECT 1 FROM user_books b JOIN bookshelves h ON h.id = b.shelf
    WHERE b.id = a.book AND h.visibility = 'public')`

const [newest, newestShown] = [sql`TRUE`, isShown].map(newestOf) as [Newest, Newest]
const [groups, groupsShown] = [sql`TRUE`, isShown].map(groupsOf) as [Groups, Groups]

type Newest = ReturnType<typeof newestOf>
function newestOf(condition: RawBuilder<unknown>) {
  return prepared<{ user: string }>(
    (value) => sql`SELECT a.created FROM activities a
      WHERE a."user" = ${value('user')} AND ${condition}
      ORDER BY a.created DESC, a.id LIMIT ${sql.lit(size)}`,
  )
}

/** The moments after the window's beginning, oldest first, each with how many entries it has. */
type Groups = ReturnType<typeof groupsOf>
function groupsOf(condition: RawBuilder<unknown>) {
  return prepared<{ user: string; since: string; most: number }>(
    (value) => sql`SELECT a.created, COUNT(*) FROM activities a
      WHERE a."user" = ${value('user')} AND a.created > ${value('since')} AND ${condition}
      GROUP BY a.created ORDER BY a.created LIMIT ${value('most')}`,
  )
}
