import { presentChunk, type PresentedRecord } from './expand.ts'
import type { ExpandTree } from './expand-tree.ts'
import type { Collection } from '../schema/collection.ts'
import { cached, execute, selectByIds, type QueryContext } from './statements.ts'

/** Records of the first piece, and of any: how long they are is known from those before. */
const [first, atMost] = [10, 250]
/** Characters that a piece is to have, if it has more than one record. */
const aim = 500_000

/**
 * The records of a long page, some at a time, so that however long they are few are held at once.
 * Each piece asks the rule anew: what is gone or hidden meanwhile is left out.
 *
 * @param ids the page, in its order
 * @throws ApiError 400 if all together is too much, where relations are included
 */
export async function* readInChunks(
  context: QueryContext,
  collection: Collection,
  rule: string,
  ids: readonly string[],
  tree: ExpandTree,
): AsyncGenerator<readonly PresentedRecord[]> {
  const statement = cached(context, `pieces ${collection.id} ${rule}`, () =>
    selectByIds(context, collection, rule),
  )
  let characters = 0
  // What a record includes may be as much as a whole page.
  let size = tree.size ? 1 : first
  for (let at = 0; at < ids.length;) {
    const wanted = ids.slice(at, at + size)
    at += wanted.length
    const rows = await execute(context, statement, { ids: wanted })
    const shown = await presentChunk(context, collection, rows, tree)
    const byId = new Map(shown.map((record) => [record.id, record]))
    yield wanted.flatMap((id) => byId.get(id) ?? [])
    for (const { json } of shown) characters += json.length
    size = Math.min(atMost, Math.ceil((aim * at) / Math.max(1, characters)))
  }
}
