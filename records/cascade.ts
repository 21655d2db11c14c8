import type { RequestInfo } from './access/request.ts'
import type { Change } from './change.ts'
import { ApiError } from './errors.ts'
import { settleFiles } from './files/settle.ts'
import type { LostLink } from './removed/keep.ts'
import { deleteRow, lockReferring } from './rows.ts'
import type { Collection, RelationField } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import type { Writer } from './transaction.ts'

interface Node {
  collection: Collection
  record: StoredRecord
}

interface Steps {
  /** Puts aside what goes; its files stay. Left out: all of it is gone for good. */
  keep?:
    | ((nodes: readonly [Node, ...Node[]], links: readonly LostLink[]) => Promise<void>)
    | undefined
  /** Writes a record whose relation lost an id. */
  change(collection: Collection, before: StoredRecord, after: StoredRecord): Promise<unknown>
  signOut(account: string): Promise<void>
  /** Who asked for the deletion of the root; what hangs on it is deleted by the server. */
  request: RequestInfo | null
}

/** Ids in one statement: far below both databases' limit on parameters. */
const batch = 500

/**
 * Deletes a record and every record whose relation says so; other relations lose the deleted ids.
 * What everyone may see of it is found out before anything is gone.
 *
 * @throws ApiError 400 if a required relation that does not cascade names a deleted record
 */
export async function deleteTree(
  tx: Writer,
  collection: Collection,
  root: StoredRecord,
  steps: Steps,
): Promise<void> {
  const { doomed, emptied } = await survey(tx, { collection, record: root })
  for (const node of doomed.toReversed()) await tx.events.leaving(node.collection, node.record)
  await steps.keep?.(doomed, emptied.flatMap(lostLinks))
  for (const { node, after } of emptied) await steps.change(node.collection, node.record, after)
  // What hangs on a record goes before it does, so that its hooks still find the record.
  for (const node of doomed.toReversed()) {
    const request = node.record === root ? steps.request : null
    await removeOne(tx, node, request, Boolean(steps.keep))
    if (node.collection.type === 'auth') await steps.signOut(node.record.id)
  }
}

interface Emptied {
  node: Node
  after: StoredRecord
  fields: ReadonlySet<RelationField>
}

function lostLinks({ node, after, fields }: Emptied): LostLink[] {
  return [...fields].flatMap((field) => {
    const left = new Set([after[field.name]].flat())
    const lost = ([node.record[field.name]].flat() as string[]).filter((id) => !left.has(id))
    return lost.map((target) => ({ ...node, field: field.name, target }))
  })
}

async function removeOne(
  tx: Writer,
  node: Node,
  request: RequestInfo | null,
  keepsFiles: boolean,
): Promise<void> {
  const { collection, record } = node
  const hooks = tx.core.hooks[collection.name]
  const step: Change = { action: 'delete', collection, before: record, after: null, request }
  await hooks?.prepare?.(step, tx)
  await deleteRow(tx, collection, record.id)
  if (!keepsFiles) await settleFiles(tx, collection, record, null, { request })
  await hooks?.applied?.(step, tx)
}

/** Everything that goes, the root first, and everything that only loses ids. */
async function survey(
  tx: Writer,
  root: Node,
): Promise<{ doomed: [Node, ...Node[]]; emptied: Emptied[] }> {
  const doomed = new Map<string, Node>([[key(root), root]])
  const losing = new Map<string, Emptied & { fields: Set<RelationField> }>()
  for (let level = [root]; level.length;) {
    const next: Node[] = []
    for (const { node, field, ids } of await referring(tx, level)) {
      if (doomed.has(key(node))) continue
      const known = losing.get(key(node)) ?? {
        node,
        after: { ...node.record },
        fields: new Set(),
      }
      losing.set(key(node), known)
      known.fields.add(field)
      const left = without(known.after[field.name], ids)
      known.after[field.name] = left
      if (field.cascadeDelete && !left.length) {
        doomed.set(key(node), node)
        next.push(node)
      }
    }
    level = next
  }
  const emptied = [...losing.values()].filter(({ node }) => !doomed.has(key(node)))
  for (const { after, fields } of emptied)
    for (const field of fields)
      if (field.required && !(after[field.name] as string | string[]).length)
        throw new ApiError(
          400,
          'Failed to delete record. Make sure that the record is not part of a required relation reference.',
        )
  return { doomed: [root, ...[...doomed.values()].slice(1)], emptied }
}

function key(node: Node): string {
  return `${node.collection.id}/${node.record.id}`
}

function without(value: unknown, ids: ReadonlySet<string>): string | string[] {
  if (Array.isArray(value)) return (value as string[]).filter((id) => !ids.has(id))
  return ids.has(value as string) ? '' : (value as string)
}

/** The records that name one of the given ones in a relation, by collection name and field. */
async function referring(
  tx: Writer,
  nodes: readonly Node[],
): Promise<{ node: Node; field: RelationField; ids: ReadonlySet<string> }[]> {
  const found: { node: Node; field: RelationField; ids: ReadonlySet<string> }[] = []
  const idsOf = Map.groupBy(nodes, (node) => node.collection.name)
  for (const { collection, field } of relations(tx.core.schema.collections)) {
    const target = tx.core.schema.get(field.collection).name
    const ids = (idsOf.get(target) ?? []).map((node) => node.record.id)
    for (let i = 0; i < ids.length; i += batch) {
      const some = ids.slice(i, i + batch)
      for (const record of await lockReferring(tx, collection, field, some))
        found.push({ node: { collection, record }, field, ids: new Set(some) })
    }
  }
  return found
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
        .map((field) => ({ collection, field })),
    )
}
