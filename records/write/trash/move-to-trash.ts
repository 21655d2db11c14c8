import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Transaction } from '../../database/database.ts'
import { modify } from '../../database/query.ts'
import { newId } from '../../random.ts'
import type { Collection } from '../../schema/collection.ts'
import { encode, type StoredRecord } from '../../schema/values.ts'
import { rowidKey, rowidsOf } from './rowids.ts'

export interface TrashedNode {
  collection: Collection
  record: StoredRecord
  /** Its row's position, if it is in the trash; see ./rowids.ts. */
  rowid?: number | undefined
}

/** A record that stays, and the field that lost a deleted record's id. */
export interface LostLink {
  collection: Collection
  id: string
  field: string
  target: string
}

/** All records of one deletion. */
export interface DeletedTree {
  root: TrashedNode
  /** All records, in groups of one collection, each record before its dependants. */
  groups: AsyncIterable<readonly TrashedNode[]>
  links: readonly LostLink[]
}

/** Rows in one statement, far below both databases' limit on parameters. */
const batch = 100

/**
 * Stores the records of a deletion, so that they can be restored as they were.
 *
 * @param account the one that deletes them and may undo it
 */
export async function moveToTrash(
  tx: Transaction,
  account: string,
  now: Date,
  { root, groups, links }: DeletedTree,
): Promise<void> {
  const removal = newId()
  await modify(
    tx,
    '_removals',
    sql`INSERT INTO _removals (id, account, collection, record, removed)
      VALUES (${removal}, ${account}, ${root.collection.id}, ${root.record.id}, ${now.getTime()})`,
  )
  let place = 0
  for await (const group of groups) {
    const { collection } = group[0]!
    const rowids = await rowidsOf(
      tx,
      collection,
      group.map(({ record }) => record.id),
    )
    const rows = group.map(({ record }) => {
      const data = toData({ collection, record, rowid: rowids.get(record.id) })
      return sql`(${removal}, ${place++}, ${collection.id}, ${record.id}, ${data})`
    })
    await modify(
      tx,
      '_removedRecords',
      sql`INSERT INTO "_removedRecords" (removal, place, collection, record, data) VALUES ${sql.join(rows)}`,
    )
  }
  await storeLinks(tx, removal, links)
}

/** Stores relations to deleted records, to be restored with them. */
export async function storeLinks(
  tx: Transaction,
  removal: string,
  links: readonly LostLink[],
): Promise<void> {
  for (let i = 0; i < links.length; i += batch) {
    // SQLite calls are synchronous: let other requests run.
    if (i) await setImmediate()
    const rows = links
      .slice(i, i + batch)
      .map(
        ({ collection, id, field, target }) =>
          sql`(${removal}, ${collection.id}, ${id}, ${field}, ${target})`,
      )
    await modify(
      tx,
      '_removedLinks',
      sql`INSERT INTO "_removedLinks" (removal, collection, record, field, target)
        VALUES ${sql.join(rows)} ON CONFLICT DO NOTHING`,
    )
  }
}

/** @returns a record's columns by name, as JSON */
export function toData({ collection, record, rowid }: TrashedNode): string {
  const columns = collection.fields.map((field) => [field.name, encode(field, record[field.name])])
  return JSON.stringify({ ...Object.fromEntries(columns), [rowidKey]: rowid })
}
