import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { number, text } from '../../database/columns.ts'
import type { Db } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import type { Collection, CollectionNamed, Schema } from '../../schema/collection.ts'
import type { RecordOf } from '../../schema/record-of.ts'
import { decode, type StoredRecord } from '../../schema/values.ts'
import type { TrashedNode } from './move-to-trash.ts'
import { rowidKey } from './rowids.ts'

/** A record in the trash, as it was when it was deleted, with its hidden fields. */
export type TrashedRecord<C extends Collection = Collection> = {
  [Name in C['name']]: { collection: Name; record: RecordOf<CollectionNamed<C, Name>> }
}[C['name']]

/** A deletion that can be undone, with the record that was deleted. */
export type TrashEntry<C extends Collection = Collection> = TrashedRecord<C> & {
  id: string
  /** The number of dependants deleted with it. */
  others: number
  /** Milliseconds since 1970. */
  removed: number
}

/** Records to read at a time. */
const batchSize = 50

/**
 * @returns the earliest time of a deletion in the collection that can still be undone, in
 *   milliseconds since 1970
 */
export function restorableSince(collection: Collection, now: Date): number {
  return now.getTime() - (collection.trashLife ?? 0) * 1000
}

/** The deletions an account can still undo, newest first. */
export async function listTrashEntries(
  db: Db,
  schema: Schema,
  account: string,
  now: Date,
  limit: number,
): Promise<TrashEntry[]> {
  const rows = await query(
    db,
    sql`SELECT m.id, m.collection, r.data, m.removed,
        (SELECT COUNT(*) FROM "_removedRecords" o WHERE o.removal = m.id) - 1
      FROM _removals m JOIN "_removedRecords" r ON r.removal = m.id AND r.place = 0
      WHERE m.account = ${account} ORDER BY m.removed DESC, m.id LIMIT ${sql.lit(limit)}`,
    { id: text, key: text, data: text, removed: number, others: number },
  )
  return rows.flatMap(({ id, key, data, removed, others }) => {
    const collection = schema.find(key)
    if (!collection || removed < restorableSince(collection, now)) return []
    const { record } = toTrashedNode(collection, data)
    return { id, collection: collection.name, record, others, removed }
  })
}

/**
 * All records of the deletions an account can still undo, a few at a time.
 *
 * @returns groups of records, ordered within each deletion, each with its collection's name and the
 *   time of the deletion (milliseconds since 1970)
 */
export async function* trashedRecords(
  db: Db,
  schema: Schema,
  account: string,
  now: Date,
): AsyncGenerator<(TrashedRecord & { removed: number })[]> {
  for (let last = { removal: '', place: -1 }; ;) {
    const rows = await query(
      db,
      sql`SELECT r.collection, r.data, m.removed, m.collection, m.id, r.place
        FROM _removals m JOIN "_removedRecords" r ON r.removal = m.id
        WHERE m.account = ${account} AND (m.id > ${last.removal} OR (m.id = ${last.removal} AND r.place > ${last.place}))
        ORDER BY m.id, r.place LIMIT ${sql.lit(batchSize)}`,
      { key: text, data: text, removed: number, root: text, removal: text, place: number },
    )
    yield rows.flatMap(({ key, data, removed, root }) => {
      const collection = schema.find(key)
      const of = schema.find(root)
      if (!collection || !of || removed < restorableSince(of, now)) return []
      const { record } = toTrashedNode(collection, data)
      return { collection: collection.name, record, removed }
    })
    if (rows.length < batchSize) return
    last = rows.at(-1)!
  }
}

/**
 * The records of one deletion, each before its dependants, a few at a time.
 *
 * @returns groups of records; those of collections that no longer exist are left out
 */
export async function* trashedNodes(
  db: Db,
  schema: Schema,
  removal: string,
): AsyncGenerator<TrashedNode[]> {
  for (let place = 0; ; place += batchSize) {
    const rows = await query(
      db,
      sql`SELECT collection, data FROM "_removedRecords" WHERE removal = ${removal}
        AND place >= ${place} AND place < ${place + batchSize} ORDER BY place`,
      { key: text, data: text },
    )
    yield rows.flatMap(({ key, data }) => {
      const collection = schema.find(key)
      return collection ? toTrashedNode(collection, data) : []
    })
    if (rows.length < batchSize) return
    // SQLite calls are synchronous: let other requests run.
    await setImmediate()
  }
}

/** @returns the stored record; fields added to the collection since have their zero value */
export function toTrashedNode(collection: Collection, data: string): TrashedNode {
  const columns = JSON.parse(data) as Record<string, string | number | boolean>
  const record = Object.fromEntries(
    collection.fields.map((field) => [field.name, decode(field, columns[field.name])]),
  ) as StoredRecord
  const rowid = columns[rowidKey]
  return { collection, record, rowid: rowid === undefined ? undefined : Number(rowid) }
}

/** Whether the id belongs to a record in the trash. */
export async function isInTrash(db: Db, collection: Collection, id: string): Promise<boolean> {
  const rows = await query(
    db,
    sql`SELECT 1 FROM "_removedRecords" WHERE record = ${id} AND collection = ${collection.id}`,
  )
  return rows.length > 0
}
