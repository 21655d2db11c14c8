import type { RequestInfo } from '../access/request.ts'
import { accountChange, managedValues, newAccount } from '../auth/account.ts'
import type { Core } from '../core.ts'
import type { Db } from '../database/database.ts'
import { ApiError, type FieldErrors } from '../errors.ts'
import { writeAndAnswer } from './answer.ts'
import { allows, allowsNew, findRecord } from '../read/read.ts'
import { lockRow } from './rows.ts'
import { applyBody, coerce, emptyRecord } from '../schema/coerce.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field, Rule } from '../schema/field.ts'
import { errors } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'
import { change, insert, remove } from './store.ts'
import { write } from './transaction.ts'
import type { Step } from './context.ts'

/**
 * Creates a record from a client's request.
 *
 * @param request its body is what the record is made of, unknown keys are ignored; its query says
 *   in which form it is answered
 * @returns the new record's JSON text
 * @throws ApiError 400 for a view, a body the rule or a validation refuses, or a form that cannot
 *   be given; 403 if nobody may
 */
export async function createRecord(
  core: Core,
  collection: Collection,
  request: RequestInfo,
): Promise<string> {
  return writeAndAnswer(core, collection, await prepareCreate(core, collection, request), request)
}

/** {@link createRecord} for a transaction that is the caller's: throws the same, now or then; gives the id. */
export async function prepareCreate(
  core: Core,
  collection: Collection,
  request: RequestInfo,
): Promise<Step<string>> {
  const rule = openRule(collection, 'create')
  const { record, request: resolved } = apply(collection, emptyRecord(collection.fields), request)
  fillViewer(collection, record, request)
  // To a visitor an empty owner would be "the same as nobody", which rules take for equal.
  if (isOwnerless(collection, record)) throw new ApiError(400, 'Failed to create record.')
  const permit = async (db: Db) => {
    if (!(await allowsNew(db, core.schema, collection, rule, record, resolved)))
      throw new ApiError(400, 'Failed to create record.')
    request.uploads?.permit()
  }
  let wrong: FieldErrors = {}
  if (collection.type === 'auth') {
    // Hashing takes its time and must not hold a transaction open.
    await permit(core.database)
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
  }
  await takeFiles(collection, request, async () => {
    await permit(core.database)
    return record
  })
  return async (tx) => {
    renameFiles({ record, request: resolved })
    await permit(tx)
    const origin = { request: resolved, named: namedBy(resolved), wrong }
    return (await insert(tx, collection, { ...record }, origin)).id
  }
}

/**
 * Changes a record by a client's request; only what differs is written.
 *
 * @returns the record's JSON text, in the form that the request's query asks for
 * @throws ApiError 404 if the record is not there or the rule refuses; 403 if nobody may; 400 for a
 *   view, a body that a validation refuses, or a form that cannot be given
 */
export async function updateRecord(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): Promise<string> {
  return writeAndAnswer(
    core,
    collection,
    await prepareUpdate(core, collection, id, request),
    request,
  )
}

/** {@link updateRecord} for a transaction that is the caller's: throws the same, now or then; gives the id. */
export async function prepareUpdate(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): Promise<Step<string>> {
  const rule = openRule(collection, 'update')
  const permit = async (db: Db, stored: StoredRecord | null) => {
    if (!stored) throw new ApiError(404)
    const applied = apply(collection, stored, request)
    if (!(await allows(db, core.schema, collection, rule, id, applied.request)))
      throw new ApiError(404)
    request.uploads?.permit()
    const manage = request.viewer ? (collection.auth?.manage ?? null) : null
    const isManaged = await allows(db, core.schema, collection, manage, id, applied.request)
    if (isManaged) Object.assign(applied.record, managedValues(collection, request.body))
    return { ...applied, isManaged }
  }
  let wasManaged = false
  let account: Awaited<ReturnType<typeof accountChange>>
  if (collection.type === 'auth') {
    const stored = await findRecord(core.database, collection, id)
    wasManaged = (await permit(core.database, stored)).isManaged
    account = await accountChange(collection, stored!, request.body, wasManaged)
  }
  await takeFiles(collection, request, async () => {
    const stored = await findRecord(core.database, collection, id)
    return (await permit(core.database, stored)).record
  })
  return async (tx) => {
    const before = await lockRow(tx, collection, id, 'update')
    const { record, request: resolved, isManaged } = await permit(tx, before)
    if (wasManaged && !isManaged) throw new ApiError(404)
    if (account) {
      // The old password was compared outside of this transaction.
      if (account.replaces !== before!['password'])
        throw new ApiError(400, 'Failed to update record.', { oldPassword: errors.oldPassword })
      if (account.hash) record['password'] = account.hash
    }
    const wrong = { ...account?.wrong, ...keyChange(collection, id, request) }
    const origin = { request: resolved, named: namedBy(resolved), wrong }
    await change(tx, collection, before!, record, origin)
    return id
  }
}

/**
 * Deletes a record by a client's request, and what hangs on it.
 *
 * @throws ApiError 404 if the record is not there or the rule refuses; 403 if nobody may; 400 for a
 *   view or a record that others cannot be without
 */
export async function deleteRecord(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): Promise<void> {
  const step = prepareDelete(core, collection, id, request)
  await core.accountQueue.exclusive(request.viewer?.id, () => write(core, step))
}

/** {@link deleteRecord} for a transaction that is the caller's; throws the same, now or then. */
export function prepareDelete(
  core: Core,
  collection: Collection,
  id: string,
  request: RequestInfo,
): Step<void> {
  const rule = openRule(collection, 'delete')
  return async (tx) => {
    const before = await lockRow(tx, collection, id, 'delete')
    if (!before || !(await allows(tx, core.schema, collection, rule, id, request)))
      throw new ApiError(404)
    await remove(tx, collection, before, { request })
  }
}

/** @throws ApiError if the collection cannot be written at all, or not over HTTP */
function openRule(collection: Collection, action: 'create' | 'update' | 'delete'): Rule {
  if (collection.type === 'view') throw new ApiError(400, 'Unsupported collection type.')
  const rule = collection.rules[action]
  if (rule === null) throw new ApiError(403, 'Only superusers can perform this action.')
  return rule
}

/**
 * Looks at a request's files and stores them, which no transaction should wait for.
 *
 * @param permitted the record as it is about to be written; throws if the request may not
 */
async function takeFiles(
  collection: Collection,
  { uploads, context }: RequestInfo,
  permitted: () => Promise<StoredRecord>,
): Promise<void> {
  if (!uploads || uploads.isEmpty) return
  // What a batch may write can depend on what its first requests have written: it has a trial.
  if (context !== 'batch') await uploads.prepare(collection, await permitted())
}

/** The record with the body applied, and the request as the rules see it: modifiers resolved. */
function apply(
  collection: Collection,
  base: StoredRecord,
  request: RequestInfo,
): { record: StoredRecord; request: RequestInfo & { body: Record<string, unknown> } } {
  const { create, update, hidden } = settable(collection)
  const fields = base.id ? update : create
  const { record, body } = applyBody(base, fields, request.body)
  const seen = Object.entries(body).filter(([key]) => !hidden.has(key))
  const applied = { record, request: { ...request, body: Object.fromEntries(seen) } }
  renameFiles(applied)
  return applied
}

/** A record keeps its id; to send that again is no change. */
function keyChange(collection: Collection, id: string, { body }: RequestInfo): FieldErrors {
  if (Object.hasOwn(body, 'id:autogenerate')) return { id: errors.keyChange }
  return !Object.hasOwn(body, 'id') || namedId(collection, body) === id
    ? {}
    : { id: errors.keyChange }
}

/** @returns the id of a body as a create would read it: digits may be a number, in a form they always are */
export function namedId({ fields }: Collection, body: RequestInfo['body']): string {
  return String(
    coerce(
      fields.find(({ name }) => name === 'id')!,
      body['id'],
    ),
  )
}

/** By what the files have turned out to be since the body was applied. */
function renameFiles({ record, request }: ReturnType<typeof apply>): void {
  request.uploads?.rename(record)
  request.uploads?.rename(request.body)
}

interface Settable {
  create: readonly Field[]
  update: readonly Field[]
  /** What rules do not see of a body either. */
  hidden: ReadonlySet<string>
}

const settableFields = new WeakMap<Collection, Settable>()

/** @returns the fields that a client's body may set, found out once for each collection */
function settable(collection: Collection): Settable {
  const known = settableFields.get(collection)
  if (known) return known
  const { fields } = collection
  const hidden = fields.filter((field) => field.readable === 'nobody' && field.type !== 'password')
  const found: Settable = {
    create: fields.filter((field) => isSettable(field, 'create')),
    update: fields.filter((field) => isSettable(field, 'update')),
    hidden: new Set(hidden.map((field) => field.name)),
  }
  settableFields.set(collection, found)
  return found
}

/** A password is set by the account stage alone. */
function isSettable(field: Field, action: 'create' | 'update'): boolean {
  if (field.type === 'autodate' || field.type === 'password') return false
  if (field.readable === 'nobody' || field.writable === 'never') return false
  return field.writable !== 'create' || action === 'create'
}

function fillViewer(collection: Collection, record: StoredRecord, request: RequestInfo): void {
  for (const field of collection.fields)
    if (field.type === 'relation' && field.fill === 'viewer' && record[field.name] === '')
      record[field.name] = request.viewer?.id ?? ''
}

function isOwnerless(collection: Collection, record: StoredRecord): boolean {
  return collection.fields.some(
    (field) =>
      field.type === 'relation' &&
      field.fill === 'viewer' &&
      field.required &&
      record[field.name] === '',
  )
}

function namedBy({ body }: RequestInfo): (field: string) => boolean {
  return (field) => Object.hasOwn(body, field)
}
