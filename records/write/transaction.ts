import type { RequestInfo } from '../filter/request.ts'
import { isConflict, StaleError } from './conflict.ts'
import type { Core } from './core.ts'
import type { CommitOptions, Transaction } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { LockedRows } from './context.ts'
import { PendingEvents } from './pending-events.ts'
import { emptyTrash } from './trash/empty.ts'
import { restoreRecord } from './trash/restore.ts'
import { updateTrash } from './trash/update.ts'
import { lockRow } from './rows.ts'
import { applyBody, emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { deleteRecord } from './delete.ts'
import { save } from './save.ts'
import type { WriteContext } from './context.ts'
import { WrittenRecords } from './context.ts'

/**
 * Runs the work in one transaction, in this order: the work, its end-of-write work, the commit, the
 * events. Runs it again after a conflict on PostgreSQL, when the data read at the start has changed,
 * or when disk space was freed.
 *
 * @throws what the work throws; nothing is written then
 */
export async function transact<T>(
  core: Core,
  work: (tx: WriteContext) => Promise<T>,
  options?: CommitOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await core.database.transaction(async (tx) => {
        const context = openContext(core, tx)
        const result = await work(context)
        await context.finish()
        await context.events.flush()
        return result
      }, options)
    } catch (error) {
      if (attempt === 5 || !(isConflict(error) || core.diskSpace?.ranOut(error)))
        throw error instanceof StaleError ? error.cause : error
    }
  }
}

/**
 * Runs the work in one transaction, and removes the files of its requests if nothing was written.
 *
 * @throws what the work throws
 */
export async function transactWithFiles<T>(
  core: Core,
  requests: RequestInfo | readonly RequestInfo[],
  work: (tx: WriteContext) => Promise<T>,
): Promise<T> {
  let committing = false
  try {
    return await transact(core, async (tx) => {
      committing = false
      const result = await work(tx)
      committing = true
      return result
    })
  } catch (error) {
    // An interrupted commit may have taken place; if it didn't, the sweep deletes the files.
    if (!committing)
      for (const { uploads } of [requests].flat()) await uploads?.discard().catch(core.report)
    throw error
  }
}

function openContext(core: Core, tx: Transaction): WriteContext {
  const named = (collection: string) => core.schema.get(collection)
  const last = new Map<string, () => Promise<void>>()
  const context: WriteContext = {
    ...tx,
    core,
    locked: new LockedRows(),
    written: new WrittenRecords(),
    modifying: (table) => context.written.forget(table),
    events: new PendingEvents(core.publisher, tx),
    async create(key, given, stored) {
      const collection = named(key)
      const values = { ...given, ...stored?.names }
      const { record } = applyBody(emptyRecord(collection.fields), collection.fields, values)
      const after = await withHash(core, record, collection, values)
      const change = { action: 'create', collection, before: null, after } as const
      return save(context, { ...change, request: null, stored })
    },
    async update(key, id, given, stored) {
      const collection = named(key)
      const before = await lockRow(context, collection, id, 'update')
      if (!before) throw new ApiError(404)
      const values = { ...given, ...stored?.names }
      const { record } = applyBody(before, collection.fields, values)
      const after = await withHash(core, record, collection, values)
      const change = { action: 'update', collection, before, after } as const
      return save(context, { ...change, request: null, stored })
    },
    async delete(key, id) {
      const collection = named(key)
      const before = await lockRow(context, collection, id, 'delete')
      if (!before) throw new ApiError(404)
      await deleteRecord(context, collection, before, null)
    },
    restore: (account, key, id) => restoreRecord(context, account, named(key), id),
    updateTrash: (account, key, match, values) =>
      updateTrash(context, account, named(key), match, values),
    emptyTrash: (account, one) =>
      emptyTrash(context, account, one && { collection: named(one.collection), id: one.id }),
    find: (key, id) => lockRow(context, named(key), id, 'update'),
    atEnd: (key, work) => void last.set(key, work),
    async finish() {
      // This work may leave more work.
      for (const [key, work] of last) {
        last.delete(key)
        await work()
      }
    },
  }
  return context
}

/** The server also passes passwords in plain text. */
async function withHash(
  { passwords }: Core,
  record: StoredRecord,
  collection: Collection,
  values: Readonly<Record<string, unknown>>,
): Promise<StoredRecord> {
  if (collection.type !== 'auth' || typeof values['password'] !== 'string') return record
  return { ...record, password: await passwords.hash(values['password']) }
}
