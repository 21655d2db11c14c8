import { sql } from 'kysely'
import type { Database } from '#records/index.ts'
import type { TagCount, TagListForm, TagPage } from '#shared/tag-list.ts'
import { query } from '#server/storage/query.ts'
import { findVisibleReader } from './profile.ts'

/**
 * The tags of a reader's books that the viewer may see; a book on several shelves counts once. All
 * spellings of a tag are one, listed where the most used one belongs.
 *
 * @param viewer id; '' for a visitor
 * @returns a page, most used first; null if there is no such reader or the viewer can't see the
 *   profile
 */
export async function listTags(
  database: Database,
  username: string,
  viewer: string,
  { page, perPage }: TagListForm,
): Promise<TagPage | null> {
  const reader = await findVisibleReader(database, username, viewer)
  if (!reader) return null
  const own = sql`"user" = ${reader.id} AND audience = ${reader.id === viewer ? 'owner' : 'others'}`
  const rows = await query(
    database,
    sql`SELECT key, tag, books FROM tag_totals WHERE ${own} ORDER BY books DESC, tag
      LIMIT ${sql.lit(perPage + 1)} OFFSET ${(page - 1) * perPage}`,
  )
  const shown = rows.slice(0, perPage)
  if (!shown.length) return { items: [], page, hasMore: false }
  const spellings = await query(
    database,
    sql`SELECT key, tag, books FROM tag_totals
      WHERE ${own} AND key IN (${sql.join([...new Set(shown.map(([key]) => key))])})
      ORDER BY books DESC, tag`,
  )
  const tags = new Map<unknown, TagCount>()
  for (const [key, tag, books] of spellings) {
    const known = tags.get(key)
    if (known) known.books += Number(books)
    else tags.set(key, { tag: String(tag), books: Number(books) })
  }
  const items = shown.flatMap(([key, tag]) => {
    const found = tags.get(key)
    return found && found.tag === tag ? [found] : []
  })
  return { items, page, hasMore: rows.length > perPage }
}
