import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import { tagKey } from '#shared/tags.ts'
import { usernamePattern } from '#shared/username.ts'
import { query } from '#server/query.ts'
import { isPublicProfile } from './profile.ts'

interface TagCount {
  tag: string
  books: number
}

/**
 * The tags of a reader's books, as far as the viewer may see these; a book on several shelves is
 * one.
 *
 * @param viewer id of who asks, '' for a visitor
 * @returns most used first; null when there is no such reader, or their profile is private to the viewer
 */
export async function listTags(
  database: Database,
  username: string,
  viewer: string,
): Promise<TagCount[] | null> {
  const name = username.toLowerCase()
  if (!usernamePattern.test(name)) return null
  const [reader] = await query(
    database,
    sql`SELECT u.id FROM users u LEFT JOIN settings s ON s."user" = u.id
      WHERE u.username = ${name} AND (${isPublicProfile(sql`s`)} OR u.id = ${viewer})`,
  )
  if (!reader) return null
  const rows = await query(
    database,
    sql`SELECT tag, books FROM tag_totals
      WHERE "user" = ${reader[0]} AND audience = ${reader[0] === viewer ? 'owner' : 'others'}
      ORDER BY books DESC, tag`,
  )
  const counts = new Map<string, TagCount>()
  for (const [name, books] of rows) {
    const tag = String(name)
    const known = counts.get(tagKey(tag))
    if (known) known.books += Number(books)
    else counts.set(tagKey(tag), { tag, books: Number(books) })
  }
  return [...counts.values()].sort((a, b) => b.books - a.books || a.tag.localeCompare(b.tag))
}
