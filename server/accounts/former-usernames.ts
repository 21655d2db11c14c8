import { sql } from 'kysely'
import type { Database, WriteTransaction } from '#records/index.ts'
import { usernamePattern } from '#shared/username.ts'
import { isPublicProfile } from '#server/library/profile.ts'
import { modify, query } from '#server/query.ts'

/** How long a name that was given up leads to its reader and is kept for them; milliseconds. */
const kept = 30 * 24 * 60 * 60 * 1000

/** Names one reader can keep in this way; older ones are free again, or names would be hoarded. */
const maxKept = 5

/** Keeps a name for the reader who changed it. */
export async function reserveUsername(
  tx: WriteTransaction,
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

/** Nobody takes the name of a deleted account, nor one it had before, as long as it is remembered. */
export async function retireUsernames(
  tx: WriteTransaction,
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
 * Whether a name is kept for somebody else. Ask once the row with the name is written: only then
 * does another transaction that is giving the name up come before or after.
 *
 * @param user who wants the name; their own former name is theirs again
 */
export async function isReservedForAnother(
  tx: WriteTransaction,
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
 * Who a name belongs to, by the name they have now.
 *
 * @param username in any case, of today or given up within 30 days
 * @param viewer id of who asks, '' for a visitor
 * @returns null where nobody has or had it, or their profile is private to the viewer
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
  )
  return found ? String(found[0]) : null
}
