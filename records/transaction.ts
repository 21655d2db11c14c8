import { forgetVerdicts, keepVerdicts } from './access/verdicts.ts'
import { hashPassword } from './auth/password.ts'
import type { WriteTransaction } from './change.ts'
import { isConflict, StaleError } from './conflict.ts'
import type { Core } from './core.ts'
import type { Transaction } from './database/database.ts'
import { ApiError } from './errors.ts'
import { PendingEvents } from './pending-events.ts'
import { forgetRemoved } from './removed/forget.ts'
import { restoreRecord } from './removed/restore.ts'
import { lockRow } from './rows.ts'
import { applyBody, emptyRecord } from './schema/coerce.ts'
import type { Collection } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import { change, insert, remove, type Origin } from './store.ts'
import { forgetWritten, writtenTable } from './written.ts'

/** A transaction that writes records; hooks run and events are collected on the way. */
export interface Writer extends WriteTransaction {
  readonly core: Core
  readonly events: PendingEvents
  /** Does what was left for the end, so that what is read next is up to date. */
  settle(): Promise<void>
}

/**
 * Runs the work in one transaction, again when PostgreSQL gave it up for another one's sake, it found
 * itself too late, or room was made for it on a full disk.
 *
 * @throws what the work throws; nothing is written then
 */
export async function write<T>(core: Core, work: (tx: Writer) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await core.database.transaction(async (tx) => {
        const writer = openWriter(core, tx)
        const result = await work(writer)
        await writer.settle()
        await writer.events.flush()
        return result
      })
    } catch (error) {
      if (attempt === 5 || !(isConflict(error) || core.room?.ranOut(error)))
        throw error instanceof StaleError ? error.cause : error
    }
  }
}

function openWriter(core: Core, tx: Transaction): Writer {
  const named = (collection: Collection | string) =>
    typeof collection === 'string' ? core.schema.get(collection) : collection
  const server: Origin = { request: null }
  const last = new Map<string, () => Promise<void>>()
  const writer: Writer = {
    ...tx,
    core,
    query(text, parameters) {
      const table = writtenTable(text)
      if (table !== null) {
        forgetWritten(writer, table)
        forgetVerdicts(writer, table)
      }
      return tx.query(text, parameters)
    },
    events: new PendingEvents(core.events, tx),
    async create(key, values) {
      const collection = named(key)
      const { record } = applyBody(emptyRecord(collection.fields), collection.fields, values)
      return insert(writer, collection, await withHash(record, collection, values), server)
    },
    async update(key, id, values) {
      const collection = named(key)
      const before = await lockRow(writer, collection, id, 'update')
      if (!before) throw new ApiError(404)
      const { record } = applyBody(before, collection.fields, values)
      return change(writer, collection, before, await withHash(record, collection, values), server)
    },
    async delete(key, id) {
      const collection = named(key)
      const before = await lockRow(writer, collection, id, 'delete')
      if (!before) throw new ApiError(404)
      await remove(writer, collection, before, server)
    },
    restore: (account, key, id) => restoreRecord(writer, account, named(key), id),
    forgetRemoved: (account, one) =>
      forgetRemoved(writer, account, one && { collection: named(one.collection), id: one.id }),
    find: (key, id) => lockRow(writer, named(key), id, 'update'),
    atLast: (key, work) => void last.set(key, work),
    async settle() {
      // What is done at last may leave more to be done.
      for (const [key, work] of last) {
        last.delete(key)
        await work()
      }
    },
  }
  keepVerdicts(writer)
  return writer
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
