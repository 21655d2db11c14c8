import type { Migration } from './migration.ts'

/** How many books have a tag in any of its spellings, so that a page of tags reads its own rows. */
export const tagKeyTotals: Migration = {
  name: 'tag-key-totals',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `CREATE TABLE tag_key_totals ("user" ${text}, audience ${text}, key ${text},
        books DOUBLE PRECISION NOT NULL DEFAULT 0, PRIMARY KEY ("user", audience, key))`,
      ...countTagKeys(dialect),
      `CREATE INDEX tag_key_totals_books ON tag_key_totals ("user", audience, books DESC, key)`,
      `DROP INDEX tag_totals_books`,
      `CREATE INDEX tag_totals_spelling ON tag_totals ("user", audience, key, books DESC, tag)`,
    ]
  },
}

/** The statements that count the books of all keys of tags, for which nothing is counted yet. */
export function countTagKeys(dialect: 'sqlite' | 'postgres'): string[] {
  const each =
    dialect === 'postgres'
      ? `jsonb_array_elements_text(CASE WHEN jsonb_typeof(b.tags::jsonb) = 'array'
          THEN b.tags::jsonb ELSE '[]'::jsonb END)`
      : `json_each(CASE WHEN json_type(b.tags) = 'array' THEN b.tags ELSE '[]' END)`
  const seen = { owner: 'TRUE', others: `h.visibility = 'public' AND b."isPrivate" = FALSE` }
  const counts = Object.entries(seen).map(
    ([audience, condition]) => `INSERT INTO tag_key_totals ("user", audience, key, books)
      SELECT b."user", '${audience}', k.key, COUNT(DISTINCT b.book_key)
      FROM user_books b JOIN bookshelves h ON h.id = b.shelf CROSS JOIN ${each} AS one
      JOIN keys_of_tags k ON k.tag = one.value
      WHERE ${condition} GROUP BY b."user", k.key`,
  )
  return [
    `CREATE TEMPORARY TABLE keys_of_tags (tag TEXT PRIMARY KEY, key TEXT NOT NULL)`,
    `INSERT INTO keys_of_tags (tag, key) SELECT DISTINCT tag, key FROM tag_totals`,
    ...counts,
    `DROP TABLE keys_of_tags`,
  ]
}
