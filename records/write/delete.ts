import type { RequestInfo } from '../filter/request.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { emptyTrash } from './trash/empty.ts'
import { moveToTrash } from './trash/move-to-trash.ts'
import { deleteTree } from './cascade.ts'
import type { WriteContext } from './context.ts'
import { save, signOut } from './save.ts'

/**
 * Deletes a locked record and its dependants, each with its hooks and its event. In a collection
 * with a `trashLife`, a client's deletion can be undone for that long.
 *
 * @param request null: the server itself deletes
 * @throws ApiError 400 if a required relation elsewhere names a deleted record
 */
export async function deleteRecord(
  tx: WriteContext,
  collection: Collection,
  before: StoredRecord,
  request: RequestInfo | null,
): Promise<void> {
  const account = request?.viewer?.id
  await deleteTree(tx, collection, before, {
    keep:
      collection.trashLife && account
        ? (tree) => moveToTrash(tx, account, tx.core.now(), tree)
        : undefined,
    change: (of, stored, after) =>
      save(tx, {
        action: 'update',
        collection: of,
        before: stored,
        after,
        request: null,
        isLoss: true,
      }),
    signOut: async (id) => {
      await signOut(tx, id)
      await tx.core.sessions.forgetAccount(tx, id)
      await emptyTrash(tx, id)
    },
    request,
  })
}
