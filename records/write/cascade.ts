import { setImmediate } from 'node:timers/promises'
import type { RequestInfo } from '../filter/request.ts'
import type { Change } from './change.ts'
import { ApiError } from '../errors.ts'
import { applyFiles } from './apply-files.ts'
import type { DeletedTree, LostLink, TrashedNode } from './trash/move-to-trash.ts'
import { deleteRow, lockReferrers, lockRows } from './rows.ts'
import type { Collection } from '../schema/collection.ts'
import type { RelationField } from '../schema/field.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { WriteContext } from './context.ts'

/** A reference to a record. A deletion can be large, so its records are read in groups. */
interface Ref {
  collection: Collection
  id: string
  /** Held only when there are few. */
  record?: StoredRecord | undefined
}

interface Steps {
  /** Moves the records to the trash; their files stay. Absent: they are deleted for good. */
  keep?: ((tree: DeletedTree) => Promise<void>) | undefined
  /** Updates a record whose relation lost an id. */
  change(collection: Collection, before: StoredRecord, after: StoredRecord): Promise<unknown>
  signOut(account: string): Promise<void>
  /** The request that deletes the root; its dependants are deleted by the server. */
  request: RequestInfo | null
}

/** Ids in one statement, far below both databases' limit on parameters. */
const idsAtOnce = 500

/** Records read at a time. */
const recordsAtOnce = 50

/**
 * Deletes a record and the records whose relations cascade; other relations lose the deleted ids.
 * Recipients of the delete events are found before anything is deleted.
 *
 * @throws ApiError 400 if a required relation that does not cascade names a deleted record
 */
export async function deleteTree(
  tx: WriteContext,
  collection: Collection,
  root: StoredRecord,
  steps: Steps,
): Promise<void> {
  const { doomed, emptied } = await survey(tx, { collection, id: root.id, record: root })
  const fromTheLeaves = doomed.toReversed()
  for await (const group of inGroups(tx, fromTheLeaves))
    for (const node of group) await tx.events.deleting(node.collection, node.record)
  await steps.keep?.({
    root: { collection, record: root },
    groups: inGroups(tx, doomed),
    links: emptied.flatMap(({ links }) => links),
  })
  for await (const group of inGroups(tx, emptied))
    for (const { record, ...node } of group)
      await steps.change(node.collection, record, { ...record, ...relationsOf(node) })
  // Dependants are deleted first, so that their hooks still find the record.
  for await (const group of inGroups(tx, fromTheLeaves))
    for (const node of group) {
      const request = node.record === root ? steps.request : null
      await removeOne(tx, node, request, Boolean(steps.keep))
      if (node.collection.type === 'auth') await steps.signOut(node.id)
      if (node.collection.tokens)
        tx.events.signedOut({ id: String(node.record['user']), session: node.id })
    }
}

/** Reads the records in groups of one collection each. */
async function* inGroups<R extends Ref>(
  tx: WriteContext,
  refs: readonly R[],
): AsyncGenerator<(R & TrashedNode)[]> {
  for (let i = 0; i < refs.length;) {
    const { collection } = refs[i]!
    const next = refs.slice(i, i + recordsAtOnce)
    const other = next.findIndex((ref) => ref.collection !== collection)
    const some = other < 0 ? next : next.slice(0, other)
    const unread = some.filter((ref) => !ref.record).map((ref) => ref.id)
    const found = new Map(
      (await lockRows(tx, collection, unread)).map((record) => [record.id, record]),
    )
    const group = some.flatMap((ref) => {
      const record = ref.record ?? found.get(ref.id)
      if (refs.length <= recordsAtOnce) ref.record = record
      return record ? { ...ref, record } : []
    })
    if (group.length) yield group
    i += some.length
    // SQLite calls are synchronous: let other requests run.
    if (some.length === recordsAtOnce) await setImmediate()
  }
}

/** A record that stays and loses the ids of deleted ones. */
interface Emptied extends Ref {
  left: Map<RelationField, string | string[]>
  links: LostLink[]
}

async function removeOne(
  tx: WriteContext,
  { collection, record }: TrashedNode,
  request: RequestInfo | null,
  keepsFiles: boolean,
): Promise<void> {
  const hooks = tx.core.hooks[collection.name]
  const step: Change = { action: 'delete', collection, before: record, after: null, request }
  await hooks?.prepare?.(step, tx)
  await deleteRow(tx, collection, record.id)
  tx.locked.delete(collection, record.id)
  if (!keepsFiles) await applyFiles(tx, step)
  await hooks?.applied?.(step, tx)
}

function relationsOf({ left }: Emptied): Record<string, string | string[]> {
  return Object.fromEntries([...left].map(([field, ids]) => [field.name, ids]))
}

/** Finds every record to delete, the root first, and every record that only loses ids. */
async function survey(tx: WriteContext, root: Ref): Promise<{ doomed: Ref[]; emptied: Emptied[] }> {
  const doomed = new Map<string, Ref>([[key(root), root]])
  const losing = new Map<string, Emptied>()
  for (let level = [root]; level.length;) {
    const next: Ref[] = []
    for await (const { ref, field, value, ids } of referring(tx, level)) {
      if (doomed.has(key(ref))) continue
      const known = losing.get(key(ref)) ?? { ...ref, left: new Map(), links: [] }
      losing.set(key(ref), known)
      const left = loseIds(known, field, known.left.get(field) ?? value, ids)
      if (!field.cascadeDelete || left.length) continue
      losing.delete(key(ref))
      doomed.set(key(ref), ref)
      next.push(ref)
    }
    level = next
  }
  const emptied = [...losing.values()]
  for (const { left } of emptied)
    for (const [field, ids] of left)
      if (field.required && !ids.length)
        throw new ApiError(
          400,
          'Failed to delete record. Make sure that the record is not part of a required relation reference.',
        )
  return { doomed: [...doomed.values()], emptied }
}

function key({ collection, id }: Ref): string {
  return `${collection.id}/${id}`
}

/** @returns what is left of a relation without the ids */
function loseIds(
  { collection, id, left, links }: Emptied,
  field: RelationField,
  value: string | string[],
  ids: ReadonlySet<string>,
): string | string[] {
  for (const target of [value].flat())
    if (ids.has(target)) links.push({ collection, id, field: field.name, target })
  const rest = Array.isArray(value) ? value.filter((one) => !ids.has(one)) : ''
  left.set(field, rest)
  return rest
}

/** The records that refer to one of the given ones, by collection name and field. */
async function* referring(tx: WriteContext, named: readonly Ref[]) {
  const idsOf = Map.groupBy(named, ({ collection }) => collection.name)
  for (const { collection, field } of relations(tx.core.schema.collections)) {
    const target = tx.core.schema.get(field.collection).name
    const all = (idsOf.get(target) ?? []).map(({ id }) => id)
    for (let i = 0; i < all.length; i += idsAtOnce) {
      const some = all.slice(i, i + idsAtOnce)
      const ids = new Set(some)
      const found = await lockReferrers(tx, collection, field, some)
      for (const [place, { id, value }] of found.entries()) {
        // SQLite calls are synchronous: let other requests run.
        if (place > 0 && place % idsAtOnce === 0) await setImmediate()
        yield { ref: { collection, id }, field, value, ids }
      }
      if (some.length === idsAtOnce) await setImmediate()
    }
  }
}

function relations(
  collections: readonly Collection[],
): { collection: Collection; field: RelationField }[] {
  return collections
    .filter((collection) => collection.type !== 'view')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((collection) =>
      collection.fields
        .filter((field) => field.type === 'relation')
        .filter((field) => !field.outlivesTarget)
        .map((field) => ({ collection, field })),
    )
}
