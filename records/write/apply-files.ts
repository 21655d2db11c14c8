import { ApiError, failedTo } from '../errors.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { Change } from './change.ts'
import type { WriteContext } from './context.ts'
import { addFileRow, deleteFileRows, fileUsage } from '../files/table.ts'

/**
 * Updates the file table after a record was written: adds the record's new files, and removes those
 * it no longer names. Removed files are deleted from the storage once the transaction is durable.
 *
 * @throws ApiError 400 if the account's files exceed its quota
 */
export async function applyFiles(
  tx: WriteContext,
  { collection, before, after, request, stored }: Change,
): Promise<void> {
  const uploads = stored?.uploads ?? request?.uploads
  // Nearly all new records have no files.
  if (!before && (!uploads || uploads.isEmpty)) return
  const { files } = tx.core
  const kept = fileNames(collection, after)
  const gone = [...fileNames(collection, before)].filter((name) => !kept.has(name))
  if (before && gone.length) {
    await deleteFileRows(tx, collection.id, before.id, gone)
    tx.afterCommit(() => files?.remove(collection.id, before.id, gone))
  }
  if (!after || !uploads) return
  const added = await uploads.store(collection, after)
  if (!added.length) return
  const account = stored?.account ?? accountOf(collection, after, request)
  const created = tx.core.now().getTime()
  for (const { field: _, ...file } of added)
    await addFileRow(tx, { collection: collection.id, record: after.id, account, created, ...file })
  if (account)
    await refuseTooMuch(tx, account, {
      field: added[0]!.field,
      action: before ? 'update' : 'create',
    })
}

function fileNames(collection: Collection, record: StoredRecord | null): Set<string> {
  const fields = record ? collection.fields.filter((field) => field.type === 'file') : []
  return new Set(fields.flatMap((field) => record![field.name] as string[]).filter(Boolean))
}

/** At sign-up there is no viewer yet, so the new account owns its own pictures. */
function accountOf(
  collection: Collection,
  record: StoredRecord,
  request: Change['request'],
): string {
  return collection.type === 'auth' ? record.id : (request?.viewer?.id ?? '')
}

async function refuseTooMuch(
  tx: WriteContext,
  account: string,
  { field, action }: { field: string; action: 'create' | 'update' },
): Promise<void> {
  const quota = tx.core.files?.quota
  const { bytes, count } = await fileUsage(tx, account)
  if (!quota || (bytes <= quota.bytes && count <= quota.count)) return
  const megabytes = Math.floor(quota.bytes / 1024 / 1024)
  const message = `You can keep up to ${quota.count} files and ${megabytes} MB in total. Delete some to make room.`
  const params = { count: quota.count, megabytes }
  throw new ApiError(400, `${failedTo[action]} ${message}`, {
    [field]: { code: 'validation_file_quota', message, params },
  })
}
