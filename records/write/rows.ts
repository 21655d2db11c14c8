import { sql, type RawBuilder } from 'kysely'
import type { Statement, Transaction } from '../database/database.ts'
import { modifyWith, query } from '../database/query.ts'
import { bind, placeholder } from '../database/placeholder.ts'
import { memo } from '../memo.ts'
import type { Collection } from '../schema/collection.ts'
import { isMultiple, type Field, type RelationField } from '../schema/field.ts'
import { decode, encode, toRecord, type StoredRecord } from '../schema/values.ts'
import type { WriteContext } from './context.ts'

/** SQLite runs one writing transaction at a time and needs no locks on rows. */
const locks = {
  /** Blocks other writes of the row; others can still refer to it. */
  update: sql` FOR NO KEY UPDATE`,
  /** Blocks new references as well. */
  delete: sql` FOR UPDATE`,
  /** Blocks deletion only. */
  refer: sql` FOR KEY SHARE`,
}
type Lock = keyof typeof locks

/** @returns the lock mode for a row that a relation is about to name */
export function referenceLock(tx: Transaction): 'KEY SHARE' | '' {
  return tx.dialect.name === 'postgres' ? 'KEY SHARE' : ''
}

function lockClause(tx: Transaction, lock: Lock) {
  return tx.dialect.name === 'postgres' ? locks[lock] : sql``
}

const statements = memo<Collection, Map<string, Statement>>(() => new Map())

/** Cached statements of a collection; clients choose which fields an update changes. */
const maxCached = 500

/** @returns the collection's cached statement of that name, made on first use */
function cachedStatement(
  { dialect }: Transaction,
  collection: Collection,
  name: string,
  make: () => RawBuilder<unknown>,
): Statement {
  const known = statements(collection)
  const key = `${dialect.name} ${name}`
  const made = known.get(key) ?? dialect.compile(make())
  if (known.size < maxCached) known.set(key, made)
  return made
}

function columnList(collection: Collection) {
  return sql.join(collection.fields.map((field) => sql.ref(field.name)))
}

/** @returns the record, locked until the transaction ends; null if it doesn't exist */
export async function lockRow(
  tx: WriteContext,
  collection: Collection,
  id: string,
  lock: Lock,
): Promise<StoredRecord | null> {
  const statement = cachedStatement(tx, collection, `lock ${lock}`, () => {
    const given = placeholder<{ id: string }>((input) => input.id)
    return sql`SELECT ${columnList(collection)} FROM ${sql.table(collection.name)} WHERE id = ${given}${lockClause(tx, lock)}`
  })
  const [row] = await tx.query(statement.sql, bind(statement.parameters, { id }))
  if (!row) return null
  tx.locked.add(collection, id)
  return toRecord(collection, row)
}

/** @returns whether all the ids exist; they can't be deleted until the transaction ends */
export async function lockReferences(
  tx: WriteContext,
  collection: Collection,
  ids: readonly string[],
): Promise<boolean> {
  if (collection.type === 'view') return false
  const wanted = [...new Set(ids)].filter((id) => !tx.locked.has(collection, id))
  if (!wanted.length) return true
  const statement = cachedStatement(tx, collection, `refer ${wanted.length}`, () => {
    const given = wanted.map((_, i) => placeholder<readonly string[]>((list) => list[i]!))
    return sql`SELECT id FROM ${sql.table(collection.name)} WHERE id IN (${sql.join(given)}) ORDER BY id${lockClause(tx, 'refer')}`
  })
  const found = await tx.query(statement.sql, bind(statement.parameters, wanted))
  for (const [id] of found) tx.locked.add(collection, String(id))
  return found.length === wanted.length
}

/** @returns the records that exist, locked for deletion */
export async function lockRows(
  tx: Transaction,
  collection: Collection,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  if (!ids.length) return []
  const rows = await query(
    tx,
    sql`SELECT ${columnList(collection)} FROM ${sql.table(collection.name)} WHERE id IN (${sql.join(ids)}) ORDER BY id${lockClause(tx, 'delete')}`,
  )
  return rows.map((row) => toRecord(collection, row))
}

/**
 * @returns the records whose relation contains one of the ids, locked for deletion, with the whole
 *   relation; on SQLite in insertion order, in which they are restored
 */
export async function lockReferrers(
  tx: Transaction,
  collection: Collection,
  field: RelationField,
  ids: readonly string[],
): Promise<{ id: string; value: string | string[] }[]> {
  const column = sql.ref(field.name)
  const where = isMultiple(field)
    ? sql`EXISTS (SELECT 1 FROM ${tx.dialect.jsonEach(column)} AS item WHERE ${sql.ref('item.value')} IN (${sql.join(ids)}))`
    : sql`${column} IN (${sql.join(ids)})`
  const order = tx.dialect.name === 'sqlite' ? sql`rowid` : sql`id`
  const rows = await query(
    tx,
    sql`SELECT id, ${column} FROM ${sql.table(collection.name)} WHERE ${where} ORDER BY ${order}${lockClause(tx, 'delete')}`,
  )
  return rows.map(([id, value]) => ({
    id: String(id),
    value: decode(field, value) as string | string[],
  }))
}

/** @throws UniqueError if the id or another unique value is taken */
export async function insertRow(
  tx: Transaction,
  collection: Collection,
  record: StoredRecord,
): Promise<void> {
  const statement = cachedStatement(tx, collection, 'insert', () => {
    const values = collection.fields.map((field) =>
      placeholder<StoredRecord>((stored) => encode(field, stored[field.name])),
    )
    return sql`INSERT INTO ${sql.table(collection.name)} (${columnList(collection)}) VALUES (${sql.join(values)})`
  })
  await modifyWith(tx, collection.name, statement, record)
}

/** Writes only the given fields of a locked record. */
export async function updateRow(
  tx: Transaction,
  collection: Collection,
  record: StoredRecord,
  fields: readonly Field[],
): Promise<void> {
  const names = fields.map((field) => field.name)
  const statement = cachedStatement(tx, collection, `update ${names.join()}`, () => {
    const sets = fields.map(
      (field) =>
        sql`${sql.ref(field.name)} = ${placeholder<StoredRecord>((stored) => encode(field, stored[field.name]))}`,
    )
    const id = placeholder<StoredRecord>((stored) => stored.id)
    return sql`UPDATE ${sql.table(collection.name)} SET ${sql.join(sets)} WHERE id = ${id}`
  })
  await modifyWith(tx, collection.name, statement, record)
}

/** Deletes a locked row, to which nothing refers any more. */
export async function deleteRow(
  tx: Transaction,
  collection: Collection,
  id: string,
): Promise<void> {
  const statement = cachedStatement(tx, collection, 'delete', () => {
    const given = placeholder<{ id: string }>((input) => input.id)
    return sql`DELETE FROM ${sql.table(collection.name)} WHERE id = ${given}`
  })
  await modifyWith(tx, collection.name, statement, { id })
}
