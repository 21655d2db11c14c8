import { sql } from 'kysely'
import { texts, type Transaction } from '#records/index.ts'
import { workOf } from '#server/library/work.ts'
import { modify, query } from '#server/storage/query.ts'
import { countWorks } from './0041-work-readers.ts'
import { countTagKeys } from './0047-tag-key-totals.ts'
import { fillColumns, rowsById } from './fill-columns.ts'
import type { Migration } from './migration.ts'
import { rekeyBooks, rekeyTags } from './rekey.ts'

const journal = [
  ...['readings', 'progress_log', 'quotes', 'device_books'].map((name) => `${name}.book_key`),
  'device_books.timed_key',
]

/** Keys in which the Arabic tatweel, which only stretches a word, doesn't count. */
export const tatweel: Migration = {
  name: 'tatweel',
  statements: () => [],
  async fill(tx, progress) {
    const counted = await query(
      tx,
      sql`SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM bookshelves)
        + (SELECT COUNT(*) FROM readings) + 3 * (SELECT COUNT(*) FROM user_books)`,
    )
    let done = 0
    const onDone = (rows: number) => progress((done += rows), Number(counted[0]?.[0]))
    await fillColumns(tx, 'users', ['username_key', 'name_key'], onDone)
    await fillColumns(tx, 'bookshelves', ['name_key'], onDone)
    await fillColumns(tx, 'readings', ['authors_keys', 'genres_keys'], onDone)
    await fillColumns(tx, 'user_books', ['title_key', 'authors_key', 'tags_keys'], onDone)
    const recount = [
      ...((await rekeyTags(tx))
        ? [`DELETE FROM tag_key_totals`, ...countTagKeys(tx.dialect.name)]
        : []),
      ...((await renameWorks(tx, onDone))
        ? [`DELETE FROM work_readers`, `DELETE FROM work_totals`, ...countWorks]
        : []),
    ]
    for (const statement of recount) await tx.query(statement)
    await rekeyBooks(tx, journal, onDone)
  },
}

/** @returns whether any book is of a work of another name now */
async function renameWorks(tx: Transaction, onDone: (rows: number) => void): Promise<boolean> {
  let isChanged = false
  for await (const rows of rowsById(tx, 'user_books', sql`title, authors, work`)) {
    for (const [id, title, authors = null, before] of rows) {
      const work = workOf({ title: String(title), authors: texts(authors) })
      if (work === before) continue
      isChanged = true
      await modify(tx, 'user_books', sql`UPDATE user_books SET work = ${work} WHERE id = ${id}`)
    }
    onDone(rows.length)
  }
  return isChanged
}
