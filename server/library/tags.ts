import { sql } from 'kysely'
import { number, text, type Database } from '#records/index.ts'
import type { TagListForm, TagPage } from '#shared/tag-list.ts'
import { query } from '#server/storage/query.ts'
import { findVisibleReader } from './profile.ts'

/**
 * The tags of a reader's books that the viewer may see; a book on several shelves counts once. All
 * spellings of a tag are one, shown in the most used one.
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
  const audience = reader.id === viewer ? 'owner' : 'others'
  const rows = await query(
    database,
    sql`SELECT (SELECT tag FROM tag_totals s
        WHERE s."user" = t."user" AND s.audience = t.audience AND s.key = t.key
        ORDER BY s.books DESC, s.tag LIMIT 1), t.books
      FROM tag_key_totals t WHERE t."user" = ${reader.id} AND t.audience = ${audience}
      ORDER BY t.books DESC, t.key LIMIT ${sql.lit(perPage + 1)} OFFSET ${(page - 1) * perPage}`,
    { tag: text, books: number },
  )
  return { items: rows.slice(0, perPage), page, hasMore: rows.length > perPage }
}
