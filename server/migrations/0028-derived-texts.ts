import { fillColumns } from './fill-columns.ts'
import type { Migration } from './migration.ts'

const added = {
  users: ['username_key', 'name_key'],
  bookshelves: ['name_key'],
  user_books: ['title_key', 'authors_key', 'title_words', 'authors_words', 'genres_words'],
}

/** Keys that titles and names are sorted by, and the words by which books are found. */
export const derivedTexts: Migration = {
  name: 'derived-texts',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return Object.entries(added).flatMap(([table, columns]) =>
      columns.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${text} DEFAULT ''`),
    )
  },
  async fill(tx, progress) {
    const tables = Object.entries(added)
    const counts = tables.map(([table]) => `(SELECT COUNT(*) FROM ${table})`)
    const [row] = await tx.query(`SELECT ${counts.join(' + ')}`)
    let done = 0
    for (const [table, columns] of tables)
      await fillColumns(tx, table, columns, (rows) => progress((done += rows), Number(row?.[0])))
  },
}
