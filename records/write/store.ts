import { endAccountSessions, forgetAccount, forgetOrigins } from '../auth/sessions.ts'
import { deleteTree } from './cascade.ts'
import type { Change, Origin } from './change.ts'
import { ApiError, hasFields, withFields, type FieldErrors } from '../errors.ts'
import { applyFiles } from '../files/apply.ts'
import { randomKey } from '../random.ts'
import { missingRelations } from './relations.ts'
import { emptyTrash } from '../trash/empty.ts'
import { moveToTrash } from '../trash/put.ts'
import { insertRow, updateRow } from './rows.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import { autodates, generate, stamp } from '../schema/fill.ts'
import { unstorable } from '../schema/storable.ts'
import { unknownFiles, validate } from '../schema/validate.ts'
import { encode, type StoredRecord } from '../schema/values.ts'
import { refuseTrashedId, reportDuplicates, refuseDuplicateAccount } from './uniqueness.ts'
import type { WriteContext } from './context.ts'

/**
 * Creates a record: hooks, the fields the server fills, validation, the row, its event.
 *
 * @param after the record as asked for; completed in place
 * @throws ApiError 400 with the fields' errors, or what a hook throws
 */
export async function insert(
  tx: WriteContext,
  collection: Collection,
  after: StoredRecord,
  origin: Origin,
): Promise<StoredRecord> {
  const { core } = tx
  const step: Change = {
    action: 'create',
    collection,
    before: null,
    after,
    request: origin.request,
  }
  refuseUnstorable(step, 'Failed to create record.')
  await askHooks(tx, step, origin)
  if (after.id) await refuseTrashedId(tx, collection, after.id)
  generate(collection, after)
  if (collection.type === 'auth') after['tokenKey'] = randomKey(50)
  // The server may give a date of its own, such as when it takes over older records.
  const isGiven = (name: string) => !origin.request && after[name] !== ''
  stamp(
    after,
    autodates(collection).filter((field) => !isGiven(field.name)),
    core.now(),
  )
  await refuseInvalid(tx, step, allNames(collection), origin, 'Failed to create record.')
  if (collection.type === 'auth') await refuseDuplicateAccount(tx, collection, after.id)
  await reportDuplicates(collection, 'Failed to create record.', () =>
    insertRow(tx, collection, after),
  )
  tx.locked.add(collection, after.id)
  tx.written.add(collection, after)
  await applyFiles(tx, collection, null, after, origin)
  await core.hooks[collection.name]?.applied?.(step, tx)
  tx.events.changed('create', collection, after.id)
  return after
}

/**
 * Changes a record that is locked. Nothing is written, and nobody hears, if nothing differs.
 *
 * @param after the record as asked for; completed in place
 * @throws ApiError 400 with the fields' errors, or what a hook throws
 */
export async function change(
  tx: WriteContext,
  collection: Collection,
  before: StoredRecord,
  after: StoredRecord,
  origin: Origin,
): Promise<StoredRecord> {
  const { core } = tx
  const step: Change = { action: 'update', collection, before, after, request: origin.request }
  refuseUnstorable(step, 'Failed to update record.')
  await askHooks(tx, step, origin)
  after.id = before.id
  const isSame = !differing(collection, before, after).length
  if (isSame && !hasFields(origin.wrong ?? {})) return before
  const resign = collection.type === 'auth' && isResigned(before, after)
  if (resign) after['tokenKey'] = randomKey(50)
  const isGiven = (name: string) => !origin.request && after[name] !== before[name]
  stamp(
    after,
    autodates(collection).filter((field) => field.onUpdate && !isGiven(field.name)),
    core.now(),
  )
  const fields = differing(collection, before, after)
  const asked = origin.isLoss ? fields.filter(({ type }) => type !== 'relation') : fields
  const names = new Set(asked.map((field) => field.name))
  await refuseInvalid(tx, step, names, origin, 'Failed to update record.')
  await reportDuplicates(collection, 'Failed to update record.', () =>
    updateRow(tx, collection, after, fields),
  )
  tx.written.add(collection, after)
  await applyFiles(tx, collection, before, after, origin)
  if (resign) await signOut(tx, after.id)
  if (resign && before['password'] !== after['password']) await forgetOrigins(tx, after.id)
  await core.hooks[collection.name]?.applied?.(step, tx)
  tx.events.changed('update', collection, after.id)
  return after
}

/**
 * Deletes a record that is locked, and what hangs on it, each with its hooks and its event. What a
 * client deletes of a collection with a `trashLife` can be brought back for so long.
 *
 * @throws ApiError 400 if a required relation elsewhere names a deleted record
 */
export async function remove(
  tx: WriteContext,
  collection: Collection,
  before: StoredRecord,
  origin: Origin,
): Promise<void> {
  const account = origin.request?.viewer?.id
  await deleteTree(tx, collection, before, {
    keep:
      collection.trashLife && account
        ? (leaving) => moveToTrash(tx, account, tx.core.now(), leaving)
        : undefined,
    change: (c, stored, after) => change(tx, c, stored, after, { request: null, isLoss: true }),
    signOut: async (id) => {
      await signOut(tx, id)
      await forgetAccount(tx, id)
      await emptyTrash(tx, id)
    },
    request: origin.request,
  })
}

/** A new password, address or key ends every session that the old one began. */
function isResigned(before: StoredRecord, after: StoredRecord): boolean {
  return ['password', 'email', 'tokenKey'].some((name) => before[name] !== after[name])
}

async function signOut(tx: WriteContext, id: string): Promise<void> {
  await endAccountSessions(tx, id)
  tx.events.signedOut({ id })
}

function differing(collection: Collection, before: StoredRecord, after: StoredRecord): Field[] {
  return collection.fields.filter(
    (field) =>
      before[field.name] !== after[field.name] &&
      encode(field, before[field.name]) !== encode(field, after[field.name]),
  )
}

const namesOf = new WeakMap<Collection, ReadonlySet<string>>()

/** @returns the names of all fields, put together once for each collection */
function allNames(collection: Collection): ReadonlySet<string> {
  let names = namesOf.get(collection)
  if (!names) namesOf.set(collection, (names = new Set(collection.fields.map(({ name }) => name))))
  return names
}

/** Before hooks ask the database about what a client sent. */
function refuseUnstorable({ collection, after, request }: Change, message: string): void {
  const found = request && after ? unstorable(collection, after) : {}
  if (hasFields(found)) throw new ApiError(400, message, found)
}

async function askHooks(tx: WriteContext, step: Change, { wrong = {} }: Origin): Promise<void> {
  try {
    await tx.core.hooks[step.collection.name]?.prepare?.(step, tx)
  } catch (error) {
    throw withFields(error, wrong)
  }
}

async function refuseInvalid(
  tx: WriteContext,
  { collection, before, after }: Change,
  names: ReadonlySet<string>,
  origin: Origin,
  message: string,
): Promise<void> {
  const found: FieldErrors = {
    // Too many ids are told before those that are missing among them.
    ...(await missingRelations(tx, collection, after!, names, origin)),
    ...validate(collection, after!, names),
    ...(origin.request
      ? unknownFiles(collection, before, after!, names, origin.request.uploads?.names())
      : {}),
    ...(await origin.request?.uploads?.errors(after!)),
    ...origin.wrong,
  }
  if (hasFields(found)) throw new ApiError(400, message, found)
}
