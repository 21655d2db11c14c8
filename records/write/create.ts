import type { RequestInfo } from '../filter/request.ts'
import { managedValues, newAccount } from './account.ts'
import type { Core } from './core.ts'
import type { Db } from '../database/database.ts'
import { ApiError, failedTo, type FieldErrors } from '../errors.ts'
import { allowsNew } from '../read/read.ts'
import { emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import { applyRequest, fillOwner, isOwnerless, setByClient, renameFiles } from './body.ts'
import { requireRule, type ClientWrite } from './write.ts'

/**
 * A client's create.
 *
 * @param request whose body is the record; unknown keys are ignored
 * @throws ApiError 400 for a view or a record without its required owner; 403 if nobody may create
 */
export function createWrite(core: Core, collection: Collection, request: RequestInfo): ClientWrite {
  const rule = requireRule(collection, 'create', request)
  const applied = applyRequest(collection, emptyRecord(collection.fields), request)
  const { record, request: resolved } = applied
  fillOwner(collection, record, request)
  // In rules, a visitor's empty id would equal an empty owner.
  if (isOwnerless(collection, record)) throw new ApiError(400, failedTo.create)
  const refuse = async (db: Db) => {
    if (!(await allowsNew(db, core.schema, collection, rule, record, resolved)))
      throw new ApiError(400, failedTo.create)
    request.uploads?.markAuthorized()
  }
  let formErrors: FieldErrors = {}
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
      const account = await newAccount(core.passwords, collection, request.body, isManaged)
      record['password'] = account.hash
      formErrors = account.errors
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
      const isSetByClient = setByClient(resolved)
      return {
        action: 'create',
        collection,
        before: null,
        after,
        request: resolved,
        isSetByClient,
        formErrors,
      }
    },
  }
}
