import type { Transaction } from './database/database.ts'
import type { Collection } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'

/**
 * Records as a transaction has written them last, so that an answer need not read them again. By
 * table, as that is what a statement of the application's own says that it writes to.
 */
const written = new WeakMap<Transaction, Map<string, Map<string, StoredRecord>>>()

/** Notes what stands in a record's row from now on. */
export function noteWritten(tx: Transaction, { name }: Collection, record: StoredRecord): void {
  let tables = written.get(tx)
  if (!tables) written.set(tx, (tables = new Map()))
  const records = tables.get(name)
  if (records) records.set(record.id, record)
  else tables.set(name, new Map([[record.id, record]]))
}

/** @returns the record if this transaction wrote it, and nothing has touched it since */
export function writtenRecord(
  tx: Transaction,
  { name }: Collection,
  id: string,
): StoredRecord | undefined {
  return written.get(tx)?.get(name)?.get(id)
}

/** To be told of every statement that writes, before it runs: what it writes is not as it was noted. */
export function forgetWritten(tx: Transaction, table: string | undefined): void {
  const tables = written.get(tx)
  if (!tables?.size) return
  if (table === undefined) tables.clear()
  else tables.delete(table)
}

const writing = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?:"(\w+)"|(\w+))/i
const reading = /^\s*SELECT\b/i

/** @returns the table that a statement writes to; undefined if that cannot be told, null for none */
export function writtenTable(statement: string): string | undefined | null {
  if (reading.test(statement)) return null
  const [, quoted, plain] = writing.exec(statement) ?? []
  return quoted ?? plain
}
