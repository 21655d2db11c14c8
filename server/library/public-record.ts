import { sql } from 'kysely'
import { named, text, type Database } from '#records/index.ts'
import { isPublicProfile } from '#server/collections/profile-rows.ts'
import { query } from '#server/storage/query.ts'

/**
 * Finds a record of a book that everybody can see: not private, on a public shelf of a public
 * profile.
 *
 * @param isbn its ISBN-13
 * @returns always the same one of several; null for none
 */
export async function findPublicRecord(
  database: Database,
  isbn: string,
): Promise<{ id: string; username: string } | null> {
  const rows = await query(
    database,
    sql`SELECT b.id, u.username FROM user_books b JOIN users u ON u.id = b."user"
      JOIN bookshelves h ON h.id = b.shelf AND h.visibility = 'public'
      JOIN settings s ON s."user" = b."user" AND ${isPublicProfile(sql`s`)}
      WHERE b.book_key = ${isbn} AND b."isPrivate" = FALSE
      ORDER BY b.book_key, b."user", b.shelf LIMIT 1`,
  )
  return named(rows, { id: text, username: text })[0] ?? null
}
