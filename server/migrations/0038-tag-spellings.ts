import { tagKey } from '#shared/tags.ts'
import { fillColumns } from './fill-columns.ts'
import type { Migration } from './migration.ts'

/** One key for all spellings of a tag, by which books are counted and found. */
export const tagSpellings: Migration = {
  name: 'tag-spellings',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [`ALTER TABLE user_books ADD COLUMN tags_keys ${text} DEFAULT ''`]
  },
  async fill(tx, progress) {
    const [first, second] = tx.dialect.name === 'postgres' ? ['$1', '$2'] : ['?', '?']
    const keyed = await tx.query(`SELECT DISTINCT tag, key FROM tag_totals`)
    for (const [tag, key] of keyed)
      if (tagKey(String(tag)) !== key)
        await tx.query(`UPDATE tag_totals SET key = ${first} WHERE tag = ${second}`, [
          tagKey(String(tag)),
          String(tag),
        ])
    const [row] = await tx.query(`SELECT COUNT(*) FROM user_books`)
    let done = 0
    await fillColumns(tx, 'user_books', ['tags_keys'], (rows) =>
      progress((done += rows), Number(row?.[0])),
    )
  },
}
