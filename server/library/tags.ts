import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import { tagKey } from '#shared/tags.ts'
import { query } from '#server/query.ts'
import { findVisibleReader } from './profile.ts'

interface TagCount {
  tag: string
  books: number
}

/**
 * The tags of a reader's books that the viewer may see; a book on several shelves counts once.
 *
 * @param viewer id; '' for a visitor
 * @returns most used first; null if there is no such reader or the viewer can't see the profile
 */
export async function listTags(
  database: Database,
  username: string,
  viewer: string,
): Promise<TagCount[] | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const rows = await query(
    database,
    sql`SELECT tag, books FROM tag_totals
      WHERE "user" = ${reader.id} AND audience = ${reader.id === viewer ? 'owner' : 'others'}
      ORDER BY books DESC, tag`,
  )
  const counts = new Map<string, TagCount>()
  for (const [name, books] of rows) {
    const tag = String(name)
    const known = counts.getOrInsertComputed(tagKey(tag), () => ({ tag, books: 0 }))
    known.books += Number(books)
  }
  return [...counts.values()].sort((a, b) => b.books - a.books || a.tag.localeCompare(b.tag))
}
