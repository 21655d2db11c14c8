import { sql } from 'kysely'
import { text, type Database } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { usernamePattern } from '#shared/username.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'
import { modify, query } from '#server/storage/query.ts'

/** Milliseconds for which a former username redirects to its reader and is reserved for them. */
const kept = 30 * 24 * 60 * 60 * 1000

/**
 * Former usernames reserved for one reader; older ones are released, so that nobody hoards names.
 */
const maxKept = 5

/** Reserves a username for the reader who changed it. */
export async function reserveUsername(
  tx: LibraryTransaction,
  username: string,
  user: string,
  now: Date,
): Promise<void> {
  await modify(
    tx,
    'former_usernames',
    sql`DELETE FROM former_usernames WHERE until <= ${now.getTime()}`,
  )
  await modify(
    tx,
    'former_usernames',
    sql`INSERT INTO former_usernames (username, "user", until)
      VALUES (${username}, ${user}, ${now.getTime() + kept})
      ON CONFLICT (username) DO UPDATE SET "user" = excluded."user", until = excluded.until`,
  )
  await modify(
    tx,
    'former_usernames',
    sql`DELETE FROM former_usernames WHERE "user" = ${user} AND "user" <> '' AND username NOT IN (
      SELECT username FROM former_usernames WHERE "user" = ${user}
      ORDER BY until DESC, username LIMIT ${sql.lit(maxKept)})`,
  )
}

/** Keeps others from taking the names of a deleted account for the same time. */
export async function retireUsernames(
  tx: LibraryTransaction,
  username: string,
  user: string,
  now: Date,
): Promise<void> {
  await modify(
    tx,
    'former_usernames',
    sql`UPDATE former_usernames SET "user" = '' WHERE "user" = ${user}`,
  )
  await reserveUsername(tx, username, '', now)
}

/**
 * Whether a name is reserved for somebody else. Call it after writing the row with the name, so
 * that it is ordered with a transaction that gives the name up.
 *
 * @param user the reader who wants the name and may take back their own
 */
export async function isReservedForAnother(
  tx: LibraryTransaction,
  username: string,
  user: string,
  now: Date,
): Promise<boolean> {
  await modify(
    tx,
    'former_usernames',
    sql`DELETE FROM former_usernames WHERE username = ${username} AND "user" = ${user}`,
  )
  const found = await query(
    tx,
    sql`SELECT 1 FROM former_usernames WHERE username = ${username} AND until > ${now.getTime()}`,
  )
  return found.length > 0
}

/**
 * The current username of the reader whom a name leads to.
 *
 * @param username current, or changed within the last 30 days; in any case
 * @param viewer id; '' for a visitor
 * @returns null if nobody has or had it, or the viewer can't see the profile
 */
export async function currentUsername(
  database: Database,
  username: string,
  viewer: string,
  now: Date,
): Promise<string | null> {
  const name = username.toLowerCase()
  if (!usernamePattern.test(name)) return null
  const [found] = await query(
    database,
    sql`SELECT u.username FROM users u LEFT JOIN settings s ON s."user" = u.id
      WHERE (${isPublicProfile(sql`s`)} OR u.id = ${viewer}) AND (u.username = ${name} OR u.id IN (
        SELECT f."user" FROM former_usernames f
        WHERE f.username = ${name} AND f.until > ${now.getTime()}
          AND NOT EXISTS (SELECT 1 FROM users t WHERE t.username = ${name})))`,
    { username: text },
  )
  return found?.username ?? null
}
