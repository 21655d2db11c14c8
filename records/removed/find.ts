import { sql } from 'kysely'
import type { Connection, Dialect } from '../database/database.ts'
import { run } from '../database/run.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { decode, type StoredRecord } from '../schema/values.ts'

type Db = Connection & { dialect: Dialect }

/** One deletion that can be undone. */
export interface Removal {
  id: string
  /** Name of the collection. */
  collection: string
  /** As it was when it was removed, hidden fields too. */
  record: StoredRecord
  /** Records that went with it. */
  others: number
  /** Milliseconds since 1970. */
  removed: number
}

/** @returns the first instant whose removals of the collection can still be undone */
export function keptSince(collection: Collection, now: Date): number {
  return now.getTime() - (collection.removedLife ?? 0) * 1000
}

/** What an account removed and can bring back, newest first. */
export async function listRemovals(
  db: Db,
  schema: Schema,
  account: string,
  now: Date,
  limit: number,
): Promise<Removal[]> {
  const rows = await run(
    db,
    sql`SELECT m.id, m.collection, r.data, m.removed,
        (SELECT COUNT(*) FROM "_removedRecords" o WHERE o.removal = m.id) - 1
      FROM _removals m JOIN "_removedRecords" r ON r.removal = m.id AND r.place = 0
      WHERE m.account = ${account} ORDER BY m.removed DESC, m.id LIMIT ${sql.lit(limit)}`,
  )
  return rows.flatMap(([id, key, data, removed, others]) => {
    const collection = schema.find(String(key))
    if (!collection || Number(removed) < keptSince(collection, now)) return []
    return {
      id: String(id),
      collection: collection.name,
      record: fromData(collection, String(data)),
      others: Number(others),
      removed: Number(removed),
    }
  })
}

/** @returns a record from its columns; what the collection has gained since is its zero value */
export function fromData(collection: Collection, data: string): StoredRecord {
  const columns = JSON.parse(data) as Record<string, string | number | boolean>
  return Object.fromEntries(
    collection.fields.map((field) => [field.name, decode(field, columns[field.name])]),
  ) as StoredRecord
}

/** Whether an id belongs to a record that may still come back. */
export async function isRemoved(db: Db, collection: Collection, id: string): Promise<boolean> {
  const rows = await run(
    db,
    sql`SELECT 1 FROM "_removedRecords" WHERE record = ${id} AND collection = ${collection.id}`,
  )
  return rows.length > 0
}
