import type { RequestInfo } from '../filter/request.ts'
import { accountChange, managedValues } from './account.ts'
import type { Core } from './core.ts'
import type { Db } from '../database/database.ts'
import { ApiError, failedTo } from '../errors.ts'
import { allows, findRecord } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { applyRequest, idChangeErrors, setByClient } from './body.ts'
import { lockRow } from './rows.ts'
import { requireRule, type ClientWrite } from './write.ts'

/**
 * A client's update; only what differs is written.
 *
 * @throws ApiError 400 for a view; 403 if nobody may update
 */
export function updateWrite(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): ClientWrite {
  const rule = requireRule(collection, 'update', request)
  const authorize = async (db: Db, stored: StoredRecord | null) => {
    if (!stored) throw new ApiError(404)
    const applied = applyRequest(collection, stored, request)
    if (!(await allows(db, core.schema, collection, rule, id, applied.request)))
      throw new ApiError(404)
    request.uploads?.markAuthorized()
    const manage = request.viewer ? (collection.auth?.manage ?? null) : null
    const isManaged = await allows(db, core.schema, collection, manage, id, applied.request)
    if (isManaged) Object.assign(applied.record, managedValues(collection, request.body))
    return { ...applied, isManaged }
  }
  let wasManaged = false
  let account: Awaited<ReturnType<typeof accountChange>>
  return {
    collection,
    request,
    async hashPassword() {
      const stored = await findRecord(core.database, collection, id)
      wasManaged = (await authorize(core.database, stored)).isManaged
      account = await accountChange(core.passwords, collection, stored!, request.body, wasManaged)
    },
    async draft() {
      const stored = await findRecord(core.database, collection, id)
      return (await authorize(core.database, stored)).record
    },
    lock: (tx) => lockRow(tx, collection, id, 'update'),
    async authorize(tx, before) {
      const { record: after, request: resolved, isManaged } = await authorize(tx, before)
      if (wasManaged && !isManaged) throw new ApiError(404)
      if (account) {
        // The old password was compared outside of this transaction.
        if (account.replaces !== before!['password'])
          throw new ApiError(400, failedTo.update, { oldPassword: errors.oldPassword })
        if (account.hash) after['password'] = account.hash
      }
      const formErrors = { ...account?.errors, ...idChangeErrors(collection, id, request) }
      const isSetByClient = setByClient(resolved)
      return {
        action: 'update',
        collection,
        before,
        after,
        request: resolved,
        isSetByClient,
        formErrors,
      }
    },
  }
}
