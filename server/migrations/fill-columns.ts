import { sql, type RawBuilder } from 'kysely'
import type { Row, Transaction } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { modify, query } from '#server/storage/query.ts'

const rowsAtOnce = 1000

/**
 * Fills columns of derived fields. Rows that have the right values already are left alone.
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
  const current = sql.join(columns.map((column) => sql.ref(column)))
  const set = sql.join(
    columns.map((column, i) => sql`${sql.ref(column)} = filled.${sql.ref(`column${i + 2}`)}`),
  )
  for await (const rows of rowsById(tx, table, sql`${sources}, ${current}`)) {
    const changed = rows
      .map(([id, ...texts]) => ({
        id,
        values: derived.map(({ by }, i) => by(texts[i])),
        old: texts.slice(columns.length),
      }))
      .filter(({ values, old }) => values.some((value, i) => value !== old[i]))
    const values = changed.map((row) => sql`(${sql.join([row.id, ...row.values])})`)
    if (values.length)
      await modify(
        tx,
        table,
        sql`UPDATE ${sql.table(table)} SET ${set} FROM (VALUES ${sql.join(values)}) AS filled
          WHERE ${sql.table(table)}.id = filled.column1`,
      )
    onFilled(rows.length)
  }
}

/**
 * Reads a table's rows in order, some at a time, so that changing them meanwhile is safe.
 *
 * @param columns come after each row's id
 */
export async function* rowsById(
  tx: Transaction,
  table: string,
  columns: RawBuilder<unknown>,
): AsyncGenerator<Row[]> {
  for (let last = ''; ;) {
    const rows = await query(
      tx,
      sql`SELECT id, ${columns} FROM ${sql.table(table)} WHERE id > ${last}
        ORDER BY id LIMIT ${sql.lit(rowsAtOnce)}`,
    )
    if (rows.length === 0) return
    yield rows
    last = String(rows.at(-1)![0])
  }
}
