import { tagKey } from '#shared/tags.ts'
import type { Migration } from './migration.ts'

/** Keys of tags that end in signs, so that C, C++ and C# are three tags. */
export const tagSigns: Migration = {
  name: 'tag-signs',
  statements: () => [],
  async fill(tx) {
    const [first, second] = tx.dialect.name === 'postgres' ? ['$1', '$2'] : ['?', '?']
    const tags = await tx.query(
      `SELECT DISTINCT tag FROM tag_totals WHERE tag LIKE '%+' OR tag LIKE '%#'`,
    )
    for (const [tag] of tags)
      await tx.query(`UPDATE tag_totals SET key = ${first} WHERE tag = ${second}`, [
        tagKey(String(tag)),
        String(tag),
      ])
  },
}
