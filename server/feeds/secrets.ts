import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { formatDate, isLongAgo, newId, timeOf, type Database } from '#records/index.ts'
import type { LibraryHooks } from '#server/collections/stored.ts'
import { modify } from '#server/storage/query.ts'
import { selectBy } from '#server/collections/select.ts'

/** Milliseconds between updates of the last use, so that not every look causes a write. */
const touchEvery = 3_600_000

/** A random secret needs no slow hash. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Hooks of private feeds: each gets a secret of its own, which is shown once. */
export const privateFeedHooks: LibraryHooks<'private_feeds'> = {
  prepare(change) {
    const { before, after, request } = change
    if (before || !after || !request) return
    // About 230 bits.
    const secret = newId() + newId() + newId()
    after.hash = hashOf(secret)
    change.revealed = { secret }
  },
}

/** @returns the id of the reader whose feeds have this secret; undefined if there is none */
export async function readerOfSecret(
  database: Database,
  secret: string,
  now = new Date(),
): Promise<string | undefined> {
  const [feed] = await byHash(database, { hash: hashOf(secret) })
  if (!feed) return undefined
  const used = timeOf(feed.last_used)
  if (isLongAgo(used, touchEvery, now.getTime()))
    await database.transaction((tx) =>
      modify(
        tx,
        'private_feeds',
        sql`UPDATE private_feeds SET last_used = ${formatDate(now)} WHERE id = ${feed.id}`,
      ),
    )
  return feed.user
}

const byHash = selectBy('private_feeds', ['id', 'user', 'last_used'], ['hash'], sql`AND hash <> ''`)
