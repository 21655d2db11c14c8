import { sql } from 'kysely'
import type { Transaction } from '#records/index.ts'
import { schema } from '#server/library/collections.ts'
import { modify, query } from '#server/storage/query.ts'
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

const rowsAtOnce = 1000

/**
 * Fills columns of derived fields.
 *
 * @param onFilled called with the number of rows that were filled since the last call
 */
export async function fillColumns(
  tx: Transaction,
  table: string,
  columns: string[],
  onFilled: (rows: number) => void,
): Promise<void> {
  const { fields } = schema.get(table)
  const derived = columns.map((column) => {
    const field = fields.find(({ name }) => name === column)
    if (field?.type !== 'text' || !field.derived) throw new Error(`${table} derives no ${column}`)
    const { from, by } = field.derived
    const isJson = fields.find(({ name }) => name === from)?.type === 'json'
    return { from, by: (value: unknown) => by(isJson ? JSON.parse(String(value)) : value) }
  })
  const sources = sql.join(derived.map(({ from }) => sql.ref(from)))
  const set = sql.join(
    columns.map((column, i) => sql`${sql.ref(column)} = filled.${sql.ref(`column${i + 2}`)}`),
  )
  for (let last = ''; ;) {
    const rows = await query(
      tx,
      sql`SELECT id, ${sources} FROM ${sql.table(table)} WHERE id > ${last}
        ORDER BY id LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    if (rows.length === 0) return
    const values = rows.map(
      ([id, ...texts]) => sql`(${sql.join([id, ...derived.map(({ by }, i) => by(texts[i]))])})`,
    )
    await modify(
      tx,
      table,
      sql`UPDATE ${sql.table(table)} SET ${set} FROM (VALUES ${sql.join(values)}) AS filled
        WHERE ${sql.table(table)}.id = filled.column1`,
    )
    onFilled(rows.length)
    last = String(rows.at(-1)![0])
  }
}
