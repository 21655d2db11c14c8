import type { RequestInfo } from '../access/request.ts'
import { managedValues, newAccount } from '../auth/account.ts'
import type { Core } from '../core.ts'
import type { Db } from '../database/database.ts'
import { ApiError, type FieldErrors } from '../errors.ts'
import { allowsNew } from '../read/read.ts'
import { emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import { applyRequest, fillViewer, isOwnerless, namedBy, renameFiles } from './body.ts'
import { openRule, type ClientWrite } from './write.ts'

/**
 * A client's create.
 *
 * @param request its body is the record, without its unknown keys
 * @throws ApiError 400 for a view or a record without its required owner; 403 if nobody may create
 */
export function createWrite(core: Core, collection: Collection, request: RequestInfo): ClientWrite {
  const rule = openRule(collection, 'create')
  const applied = applyRequest(collection, emptyRecord(collection.fields), request)
  const { record, request: resolved } = applied
  fillViewer(collection, record, request)
  // To a visitor an empty owner would be "the same as nobody", which rules take for equal.
  if (isOwnerless(collection, record)) throw new ApiError(400, 'Failed to create record.')
  const refuse = async (db: Db) => {
    if (!(await allowsNew(db, core.schema, collection, rule, record, resolved)))
      throw new ApiError(400, 'Failed to create record.')
    request.uploads?.permit()
  }
  let wrong: FieldErrors = {}
  return {
    collection,
    request,
    async hashPassword() {
      await refuse(core.database)
      const manage = request.viewer ? (collection.auth?.manage ?? null) : null
      const isManaged = await allowsNew(
        core.database,
        core.schema,
        collection,
        manage,
        record,
        resolved,
      )
      const account = await newAccount(collection, request.body, isManaged)
      record['password'] = account.hash
      wrong = account.wrong
      if (isManaged) Object.assign(record, managedValues(collection, request.body))
    },
    async draft() {
      await refuse(core.database)
      return record
    },
    lock: () => Promise.resolve(null),
    async authorize(tx) {
      renameFiles(applied)
      await refuse(tx)
      const after = { ...record }
      const named = namedBy(resolved)
      return { action: 'create', collection, before: null, after, request: resolved, named, wrong }
    },
  }
}
