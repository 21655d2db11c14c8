import { tagKey } from '#shared/tags.ts'
import type { Migration } from './migration.ts'

/** The key that all spellings of a tag share, and tags in the order in which they are listed. */
export const tagKeys: Migration = {
  name: 'tag-keys',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `ALTER TABLE tag_totals RENAME TO tag_totals_unkeyed`,
      `CREATE TABLE tag_totals ("user" ${text}, audience ${text}, key ${text} DEFAULT '',
        tag ${text}, books DOUBLE PRECISION NOT NULL DEFAULT 0,
        PRIMARY KEY ("user", audience, key, tag))`,
    ]
  },
  async fill(tx) {
    const distinct = await tx.query(`SELECT DISTINCT tag FROM tag_totals_unkeyed`)
    await tx.query(`CREATE TEMPORARY TABLE tag_keys (tag TEXT PRIMARY KEY, key TEXT NOT NULL)`)
    const [first, second] = tx.dialect.name === 'postgres' ? ['$1', '$2'] : ['?', '?']
    for (const [tag] of distinct)
      await tx.query(`INSERT INTO tag_keys (tag, key) VALUES (${first}, ${second})`, [
        String(tag),
        tagKey(String(tag)),
      ])
    await tx.query(`INSERT INTO tag_totals ("user", audience, key, tag, books)
      SELECT t."user", t.audience, k.key, t.tag, t.books
      FROM tag_totals_unkeyed t JOIN tag_keys k ON k.tag = t.tag`)
    await tx.query(`DROP TABLE tag_keys`)
    await tx.query(`DROP TABLE tag_totals_unkeyed`)
    await tx.query(
      `CREATE INDEX tag_totals_books ON tag_totals ("user", audience, books DESC, tag)`,
    )
  },
}
