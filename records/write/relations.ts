import type { RequestInfo } from '../filter/request.ts'
import type { FieldErrors } from '../errors.ts'
import { allows } from '../read/allows.ts'
import { lockReferences, referenceLock } from './rows.ts'
import type { Collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import type { RecordWrite } from './change.ts'
import type { WriteContext } from './context.ts'

/**
 * Finds relation fields that name a record that doesn't exist or that the client may not see; both
 * get the same error. The named records are locked until the transaction ends.
 */
export async function missingRelations(
  tx: WriteContext,
  write: RecordWrite,
  names: ReadonlySet<string>,
): Promise<FieldErrors> {
  const found: FieldErrors = {}
  for (const field of write.collection.fields) {
    if (field.type !== 'relation' || !names.has(field.name)) continue
    const ids = [write.after[field.name]].flat().filter((id) => id !== '') as string[]
    if (!ids.length) continue
    const target = tx.core.schema.get(field.collection)
    const request = write.isSetByClient?.(field.name) ? write.request : null
    const there = request
      ? await lockVisible(tx, target, ids, request)
      : await lockReferences(tx, target, ids)
    if (!there) found[field.name] = errors.missingRelation
  }
  return found
}

async function lockVisible(
  tx: WriteContext,
  target: Collection,
  ids: readonly string[],
  request: RequestInfo,
): Promise<boolean> {
  if (target.type === 'view') return false
  const lock = referenceLock(tx)
  for (const id of ids) {
    if (!(await allows(tx, tx.core.schema, target, target.rules.view, id, request, lock)))
      return false
    tx.locked.add(target, id)
  }
  return true
}
