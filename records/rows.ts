import { sql, type RawBuilder } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Statement, Transaction } from './database/database.ts'
import { run } from './database/run.ts'
import { bind, slot } from './database/slot.ts'
import { isMultiple, type Collection, type Field, type RelationField } from './schema/collection.ts'
import { encode, toRecord, type StoredRecord } from './schema/values.ts'

/** @returns a new record id: 15 of a-z and 0-9 */
export const newId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 15)

/** SQLite runs one writing transaction at a time and needs no locks on rows. */
const locks = {
  /** Against other writes of the row; others may still refer to it. */
  update: sql` FOR NO KEY UPDATE`,
  /** Also against new references to it. */
  delete: sql` FOR UPDATE`,
  /** Against deletion only. */
  refer: sql` FOR KEY SHARE`,
}
type Lock = keyof typeof locks

function lockClause(tx: Transaction, lock: Lock) {
  return tx.dialect.name === 'postgres' ? locks[lock] : sql``
}

const statements = new WeakMap<Collection, Map<string, Statement>>()

/** @returns the statement that was made for the collection before, as long as the name is the same */
function kept(
  { dialect }: Transaction,
  collection: Collection,
  name: string,
  make: () => RawBuilder<unknown>,
): Statement {
  let known = statements.get(collection)
  if (!known) statements.set(collection, (known = new Map()))
  const key = `${dialect.name} ${name}`
  const made = known.get(key) ?? dialect.compile(make())
  known.set(key, made)
  return made
}

function columnList(collection: Collection) {
  return sql.join(collection.fields.map((field) => sql.ref(field.name)))
}

/** Reads rows for a write and keeps them as they are until the transaction ends. */
async function lockWhere(
  tx: Transaction,
  collection: Collection,
  where: ReturnType<typeof sql>,
  lock: Lock,
): Promise<StoredRecord[]> {
  const rows = await run(
    tx,
    sql`SELECT ${columnList(collection)} FROM ${sql.table(collection.name)} WHERE ${where} ORDER BY id${lockClause(tx, lock)}`,
  )
  return rows.map((row) => toRecord(collection, row))
}

/** @returns the record, unchangeable by others until the transaction ends; null if it is not there */
export async function lockRow(
  tx: Transaction,
  collection: Collection,
  id: string,
  lock: Lock,
): Promise<StoredRecord | null> {
  const statement = kept(tx, collection, `lock ${lock}`, () => {
    const given = slot<{ id: string }>((input) => input.id)
    return sql`SELECT ${columnList(collection)} FROM ${sql.table(collection.name)} WHERE id = ${given}${lockClause(tx, lock)}`
  })
  const [row] = await tx.query(statement.sql, bind(statement.parameters, { id }))
  return row ? toRecord(collection, row) : null
}

/** @returns whether all the ids exist; they cannot be deleted before the transaction ends */
export async function lockReferences(
  tx: Transaction,
  collection: Collection,
  ids: readonly string[],
): Promise<boolean> {
  if (collection.type === 'view') return false
  const rows = await run(
    tx,
    sql`SELECT id FROM ${sql.table(collection.name)} WHERE id IN (${sql.join(ids)}) ORDER BY id${lockClause(tx, 'refer')}`,
  )
  return rows.length === new Set(ids).size
}

/** @returns the records whose relation field names one of the ids, locked for deletion */
export function lockReferring(
  tx: Transaction,
  collection: Collection,
  field: RelationField,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  const column = sql.ref(field.name)
  const where = isMultiple(field)
    ? sql`EXISTS (SELECT 1 FROM ${tx.dialect.jsonEach(column)} AS item WHERE ${sql.ref('item.value')} IN (${sql.join(ids)}))`
    : sql`${column} IN (${sql.join(ids)})`
  return lockWhere(tx, collection, where, 'delete')
}

export async function insertRow(
  tx: Transaction,
  collection: Collection,
  record: StoredRecord,
): Promise<void> {
  const statement = kept(tx, collection, 'insert', () => {
    const values = collection.fields.map((field) =>
      slot<StoredRecord>((stored) => encode(field, stored[field.name])),
    )
    return sql`INSERT INTO ${sql.table(collection.name)} (${columnList(collection)}) VALUES (${sql.join(values)})`
  })
  await tx.query(statement.sql, bind(statement.parameters, record))
}

/** Writes only the given fields, so that two requests cannot undo each other's. */
export async function updateRow(
  tx: Transaction,
  collection: Collection,
  record: StoredRecord,
  fields: readonly Field[],
): Promise<void> {
  const sets = fields.map(
    (field) => sql`${sql.ref(field.name)} = ${encode(field, record[field.name])}`,
  )
  await run(
    tx,
    sql`UPDATE ${sql.table(collection.name)} SET ${sql.join(sets)} WHERE id = ${record.id}`,
  )
}

export async function deleteRow(
  tx: Transaction,
  collection: Collection,
  id: string,
): Promise<void> {
  await run(tx, sql`DELETE FROM ${sql.table(collection.name)} WHERE id = ${id}`)
}
