import { sql } from 'kysely'
import { type Database, named, text } from '#records/index.ts'
import { usernamePattern } from '#shared/username.ts'
import { query } from '#server/storage/query.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'

/**
 * @param username in any case
 * @param viewer id; '' for a visitor
 * @returns null if there is no such reader or the viewer can't see the profile
 */
export async function findVisibleReader(
  database: Database,
  username: string,
  viewer: string,
): Promise<{ id: string; username: string } | null> {
  const name = username.toLowerCase()
  if (!usernamePattern.test(name)) return null
  const rows = await query(
    database,
    sql`SELECT u.id, u.username FROM users u LEFT JOIN settings s ON s."user" = u.id
      WHERE u.username = ${name} AND (${isPublicProfile(sql`s`)} OR u.id = ${viewer})`,
  )
  return named(rows, { id: text, username: text })[0] ?? null
}
