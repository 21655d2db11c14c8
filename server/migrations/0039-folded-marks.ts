import { sql } from 'kysely'
import { query } from '#server/storage/query.ts'
import { fillColumns } from './fill-columns.ts'
import type { Migration } from './migration.ts'
import { rekeyBooks, rekeyTags } from './rekey.ts'

const journal = ['readings.book_key', 'progress_log.book_key', 'quotes.book_key']

/**
 * Keys in which marks that are part of a word stay (“マンガ” isn’t “マンカ”) and the optional vowels of
 * Arabic and Hebrew don’t count. A book’s readings, progress and quotes follow it. Where several of
 * a reader’s books had one key, or would get one, they keep the key they have until they are edited.
 */
export const foldedMarks: Migration = {
  name: 'folded-marks',
  statements: () => [],
  async fill(tx, progress) {
    const counted = await query(
      tx,
      sql`SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM bookshelves)
        + 2 * (SELECT COUNT(*) FROM user_books)`,
    )
    let done = 0
    const onDone = (rows: number) => progress((done += rows), Number(counted[0]?.[0]))
    await fillColumns(tx, 'users', ['username_key', 'name_key'], onDone)
    await fillColumns(tx, 'bookshelves', ['name_key'], onDone)
    await fillColumns(tx, 'user_books', ['title_key', 'authors_key', 'tags_keys'], onDone)
    await rekeyTags(tx)
    await rekeyBooks(tx, journal, onDone)
  },
}
