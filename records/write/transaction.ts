import { VerdictCache } from '../access/verdict-cache.ts'
import { hashPassword } from '../auth/password.ts'
import { isConflict, StaleError } from './conflict.ts'
import type { Core } from '../core.ts'
import type { Transaction } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { LockedRows } from './locked-rows.ts'
import { PendingEvents } from './pending-events.ts'
import { emptyTrash } from '../trash/empty.ts'
import { restoreRecord } from '../trash/restore.ts'
import { lockRow } from './rows.ts'
import { applyBody, emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { change, insert, remove } from './store.ts'
import type { Origin } from './change.ts'
import type { WriteContext } from './context.ts'
import { WrittenRecords } from './written-records.ts'

/**
 * Runs the work in one transaction, again when PostgreSQL gave it up for another one's sake, it found
 * itself too late, or room was made for it on a full disk.
 *
 * @throws what the work throws; nothing is written then
 */
export async function write<T>(core: Core, work: (tx: WriteContext) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await core.database.transaction(async (tx) => {
        const context = openContext(core, tx)
        const result = await work(context)
        await context.finish()
        await context.events.flush()
        return result
      })
    } catch (error) {
      if (attempt === 5 || !(isConflict(error) || core.diskSpace?.ranOut(error)))
        throw error instanceof StaleError ? error.cause : error
    }
  }
}

function openContext(core: Core, tx: Transaction): WriteContext {
  const named = (collection: Collection | string) =>
    typeof collection === 'string' ? core.schema.get(collection) : collection
  const server: Origin = { request: null }
  const last = new Map<string, () => Promise<void>>()
  const state = new Map<() => unknown, unknown>()
  const context: WriteContext = {
    ...tx,
    core,
    locked: new LockedRows(),
    written: new WrittenRecords(),
    verdicts: new VerdictCache(),
    modifying(table) {
      context.written.forget(table)
      context.verdicts.forget(table)
    },
    events: new PendingEvents(core.publisher, tx),
    async create(key, values) {
      const collection = named(key)
      const { record } = applyBody(emptyRecord(collection.fields), collection.fields, values)
      return insert(context, collection, await withHash(record, collection, values), server)
    },
    async update(key, id, values) {
      const collection = named(key)
      const before = await lockRow(context, collection, id, 'update')
      if (!before) throw new ApiError(404)
      const { record } = applyBody(before, collection.fields, values)
      return change(context, collection, before, await withHash(record, collection, values), server)
    },
    async delete(key, id) {
      const collection = named(key)
      const before = await lockRow(context, collection, id, 'delete')
      if (!before) throw new ApiError(404)
      await remove(context, collection, before, server)
    },
    restore: (account, key, id) => restoreRecord(context, account, named(key), id),
    emptyTrash: (account, one) =>
      emptyTrash(context, account, one && { collection: named(one.collection), id: one.id }),
    find: (key, id) => lockRow(context, named(key), id, 'update'),
    atLast: (key, work) => void last.set(key, work),
    state<T>(initial: () => T): T {
      if (!state.has(initial)) state.set(initial, initial())
      return state.get(initial) as T
    },
    async finish() {
      // What is done at last may leave more to be done.
      for (const [key, work] of last) {
        last.delete(key)
        await work()
      }
    },
  }
  return context
}

/** The server gives passwords as they are typed, too. */
async function withHash(
  record: StoredRecord,
  collection: Collection,
  values: Readonly<Record<string, unknown>>,
): Promise<StoredRecord> {
  if (collection.type !== 'auth' || typeof values['password'] !== 'string') return record
  return { ...record, password: await hashPassword(values['password']) }
}
