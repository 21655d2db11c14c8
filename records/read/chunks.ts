import { presentChunk, type PresentedRecord } from './expand.ts'
import type { ExpandTree } from './expand-tree.ts'
import type { Collection } from '../schema/collection.ts'
import { cached, execute, selectByIds, type QueryContext } from './statements.ts'

/**
 * Records in the first chunk, and in any chunk. Later chunks are sized by the records before them.
 */
const [first, atMost] = [10, 250]
/** Characters to aim for in a chunk, if it has more than one record. */
const aim = 500_000

/**
 * Reads the records of a long page in chunks, so that few are in memory at once, however long they
 * are. Each chunk checks the rule again: records deleted or hidden in the meantime are left out.
 *
 * @param ids the page, in its order
 * @throws ApiError 400 if the page is too large in total, which is only limited with expanded
 *   relations
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
  // One record's expanded relations may be as large as a whole page.
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
