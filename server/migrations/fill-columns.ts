import { sql } from 'kysely'
import type { Transaction } from '#records/index.ts'
import { schema } from '#server/library/collections.ts'
import { modify, query } from '#server/storage/query.ts'

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
