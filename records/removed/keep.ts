import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { run } from '../database/run.ts'
import { newId } from '../rows.ts'
import type { Collection } from '../schema/collection.ts'
import { encode, type StoredRecord } from '../schema/values.ts'

export interface RemovedNode {
  collection: Collection
  record: StoredRecord
}

/** A record that stays, and the field in which it no longer names a removed one. */
export interface LostLink extends RemovedNode {
  field: string
  target: string
}

/** Rows in one statement: far below both databases' limit on parameters. */
const batch = 100

/**
 * Puts aside what a deletion takes away, so that it can be brought back as it was.
 *
 * @param account who asked for the deletion, and may undo it
 * @param nodes the root first, what hangs on a record after it
 */
export async function keepRemoved(
  tx: Transaction,
  account: string,
  now: Date,
  nodes: readonly [RemovedNode, ...RemovedNode[]],
  links: readonly LostLink[],
): Promise<void> {
  const removal = newId()
  const [root] = nodes
  await run(
    tx,
    sql`INSERT INTO _removals (id, account, collection, record, removed)
      VALUES (${removal}, ${account}, ${root.collection.id}, ${root.record.id}, ${now.getTime()})`,
  )
  const records = nodes.map(
    ({ collection, record }, place) =>
      sql`(${removal}, ${sql.lit(place)}, ${collection.id}, ${record.id}, ${toData(collection, record)})`,
  )
  for (let i = 0; i < records.length; i += batch)
    await run(
      tx,
      sql`INSERT INTO "_removedRecords" (removal, place, collection, record, data) VALUES ${sql.join(records.slice(i, i + batch))}`,
    )
  await keepLinks(tx, removal, links)
}

/** Notes that a record should name a removed one again once it is back. */
export async function keepLinks(
  tx: Transaction,
  removal: string,
  links: readonly LostLink[],
): Promise<void> {
  const rows = links.map(
    ({ collection, record, field, target }) =>
      sql`(${removal}, ${collection.id}, ${record.id}, ${field}, ${target})`,
  )
  for (let i = 0; i < rows.length; i += batch)
    await run(
      tx,
      sql`INSERT INTO "_removedLinks" (removal, collection, record, field, target)
        VALUES ${sql.join(rows.slice(i, i + batch))} ON CONFLICT DO NOTHING`,
    )
}

/** @returns a record's columns by name, as JSON */
export function toData(collection: Collection, record: StoredRecord): string {
  return JSON.stringify(
    Object.fromEntries(
      collection.fields.map((field) => [field.name, encode(field, record[field.name])]),
    ),
  )
}
