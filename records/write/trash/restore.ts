import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { text } from '../../database/columns.ts'
import type { Change } from '../change.ts'
import { modify, query } from '../../database/query.ts'
import { ApiError, failedTo } from '../../errors.ts'
import { fillDerived } from '../../schema/auto-fields.ts'
import { insertRow, lockReferences, lockRow } from '../rows.ts'
import type { Collection } from '../../schema/collection.ts'
import { isMultiple, type RelationField } from '../../schema/field.ts'
import { errors } from '../../schema/validate.ts'
import type { StoredRecord } from '../../schema/values.ts'
import { reportDuplicates } from '../uniqueness.ts'
import { save } from '../save.ts'
import type { WriteContext } from '../context.ts'
import { restorableSince, trashedNodes, toTrashedNode } from './find.ts'
import { deleteTrashEntry } from './empty.ts'
import { storeLinks, toData, type TrashedNode } from './move-to-trash.ts'
import { restoreRowid } from './rowids.ts'

/**
 * Restores a deleted record and its dependants with the same ids, dates and files, and the
 * relations that named them. The root's hooks run with the action `restore` and may refuse.
 *
 * @param account the one that deleted it
 * @param id of the deleted record itself, not of a dependant
 * @throws ApiError 404 if the account deleted no such record, or too long ago; 400 if the record
 *   can't be restored, or what a hook throws
 */
export async function restoreRecord(
  tx: WriteContext,
  account: string,
  collection: Collection,
  id: string,
): Promise<void> {
  const removal = await lockRemoval(tx, account, collection, id)
  const hooks = tx.core.hooks[collection.name]
  let step: Change | undefined
  for await (const group of trashedNodes(tx, tx.core.schema, removal))
    for (const node of group) {
      if (!step) {
        const after = node.record
        step = { action: 'restore', collection, before: null, after, request: null }
        await hooks?.prepare?.(step, tx)
      }
      await putBack(tx, node)
    }
  if (!step) throw new ApiError(404)
  await restoreLinks(tx, removal)
  await hooks?.applied?.(step, tx)
  await deleteTrashEntry(tx, removal)
}

/** Locks the deletion, so that of two concurrent restores the second finds it already undone. */
async function lockRemoval(
  tx: WriteContext,
  account: string,
  collection: Collection,
  id: string,
): Promise<string> {
  const lock = tx.dialect.name === 'postgres' ? sql` FOR UPDATE` : sql``
  const since = restorableSince(collection, tx.core.now())
  const [row] = await query(
    tx,
    sql`SELECT id FROM _removals WHERE record = ${id} AND account = ${account}
      AND collection = ${collection.id} AND removed >= ${since}
      ORDER BY removed DESC, id LIMIT 1${lock}`,
    { id: text },
  )
  if (!row) throw new ApiError(404)
  return row.id
}

async function putBack(tx: WriteContext, node: TrashedNode): Promise<void> {
  const { collection, record, rowid } = node
  await settleRelations(tx, node)
  // The record may be older than its derived fields.
  fillDerived(collection, record)
  await reportDuplicates(collection, failedTo.restore, () => insertRow(tx, collection, record))
  tx.locked.add(collection, record.id)
  if (rowid !== undefined) await restoreRowid(tx, collection, record.id, rowid)
  tx.events.changed('create', collection, record)
}

/**
 * Removes relations to records that have been deleted since. They are restored along with those
 * records.
 *
 * @throws ApiError 400 if the relation is required
 */
async function settleRelations(
  tx: WriteContext,
  { collection, record }: TrashedNode,
): Promise<void> {
  for (const field of collection.fields) {
    if (field.type !== 'relation') continue
    const target = tx.core.schema.get(field.collection)
    const named = [record[field.name]].flat().filter(Boolean) as string[]
    for (const id of named) {
      if (await lockReferences(tx, target, [id])) continue
      if (field.required || field.cascadeDelete)
        throw new ApiError(400, failedTo.restore, {
          [field.name]: errors.missingRelation,
        })
      record[field.name] = isMultiple(field)
        ? (record[field.name] as string[]).filter((one) => one !== id)
        : ''
      const removal = await removalOf(tx, target, id)
      if (removal)
        await storeLinks(tx, removal, [
          { collection, id: record.id, field: field.name, target: id },
        ])
    }
  }
}

/** @returns the deletion that a record in the trash belongs to */
async function removalOf(tx: WriteContext, { id: key }: Collection, id: string) {
  const [row] = await query(
    tx,
    sql`SELECT removal FROM "_removedRecords" WHERE record = ${id} AND collection = ${key}`,
    { removal: text },
  )
  return row?.removal
}

/** Links read at a time. */
const linksAtOnce = 50

async function restoreLinks(tx: WriteContext, removal: string): Promise<void> {
  for (let last: Link = { key: '', id: '', name: '', target: '' }; ;) {
    const links = await query(
      tx,
      sql`SELECT collection, record, field, target FROM "_removedLinks"
        WHERE removal = ${removal} AND (collection, record, field, target) > (${sql.join(Object.values(last))})
        ORDER BY collection, record, field, target LIMIT ${sql.lit(linksAtOnce)}`,
      { key: text, id: text, name: text, target: text },
    )
    for (const link of links) await restoreLink(tx, link)
    if (links.length < linksAtOnce) return
    last = links.at(-1)!
    // SQLite calls are synchronous: let other requests run.
    await setImmediate()
  }
}

/** A relation that a deletion removed: the record's collection and id, its field and the target. */
interface Link {
  key: string
  id: string
  name: string
  target: string
}

async function restoreLink(tx: WriteContext, { key, id, name, target }: Link): Promise<void> {
  const collection = tx.core.schema.find(key)
  const field = collection?.fields.find((one) => one.name === name)
  if (!collection || field?.type !== 'relation') return
  const before = await lockRow(tx, collection, id, 'update')
  if (before) {
    const after = relinked(before, field, target)
    await save(tx, { action: 'update', collection, before, after, request: null })
  } else await relinkRemoved(tx, collection, id, field, target)
}

/** Restores the relation of a record that has been deleted itself since. */
async function relinkRemoved(
  tx: WriteContext,
  collection: Collection,
  id: string,
  field: RelationField,
  target: string,
): Promise<void> {
  const [row] = await query(
    tx,
    sql`SELECT data FROM "_removedRecords" WHERE record = ${id} AND collection = ${collection.id}`,
    { data: text },
  )
  if (!row) return
  const node = toTrashedNode(collection, row.data)
  const data = toData({ ...node, record: relinked(node.record, field, target) })
  await modify(
    tx,
    '_removedRecords',
    sql`UPDATE "_removedRecords" SET data = ${data} WHERE record = ${id} AND collection = ${collection.id}`,
  )
}

/** A single relation that has been set to another record since keeps it. */
function relinked(record: StoredRecord, field: RelationField, target: string): StoredRecord {
  const now = record[field.name]
  if (!isMultiple(field)) return { ...record, [field.name]: now || target }
  return { ...record, [field.name]: [...new Set([...(now as string[]), target])] }
}
