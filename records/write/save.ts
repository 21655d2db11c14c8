import { ApiError, failedTo, hasFields, withFields, type FieldErrors } from '../errors.ts'
import { applyFiles } from './apply-files.ts'
import { memo } from '../memo.ts'
import { randomKey } from '../random.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import { autodateFields, fillDerived, fillGenerated, setDates } from '../schema/auto-fields.ts'
import { storableErrors } from '../schema/storable.ts'
import { unknownFiles, validate as fieldErrors } from '../schema/validate.ts'
import { encode, type StoredRecord } from '../schema/values.ts'
import type { RecordWrite } from './change.ts'
import type { WriteContext } from './context.ts'
import { missingRelations } from './relations.ts'
import { insertRow, updateRow } from './rows.ts'
import { refuseDuplicateAccount, refuseTrashedId, reportDuplicates } from './uniqueness.ts'

/**
 * A write by the server itself: the steps of `beginWrite` in ./write.ts that aren't a client's.
 *
 * @param write of a locked or new record
 * @returns the record as it is stored now
 * @throws ApiError 400 with the fields' errors, or what a hook throws
 */
export async function save(tx: WriteContext, write: RecordWrite): Promise<StoredRecord> {
  if (!(await prepare(tx, write))) return write.before!
  await validate(tx, write)
  await store(tx, write)
  await applyHooks(tx, write)
  return write.after
}

/**
 * Runs the `prepare` hook and sets the fields that the server fills.
 *
 * @returns false if there is nothing to write
 * @throws ApiError 400 for values that PostgreSQL can't store, or what the hook throws
 */
export async function prepare(tx: WriteContext, write: RecordWrite): Promise<boolean> {
  const { action, collection, after, formErrors = {} } = write
  // Before hooks query the database with values from a client.
  const found = write.request ? storableErrors(collection, after) : {}
  if (hasFields(found)) throw new ApiError(400, failedTo[action], found)
  try {
    await tx.core.hooks[collection.name]?.prepare?.(write, tx)
  } catch (error) {
    throw withFields(error, formErrors)
  }
  fillDerived(collection, after, write.before)
  if (!write.before) await fillNew(tx, write)
  else {
    after.id = write.before.id
    if (!changed(write).length) return hasFields(formErrors)
    fillChanged(tx, write)
  }
  return true
}

/** @throws ApiError 400 with the errors of all fields that are written */
export async function validate(tx: WriteContext, write: RecordWrite): Promise<void> {
  const { action, collection, before, after, request } = write
  const names = before ? namesOf(changed(write), write) : allNames(collection)
  const found: FieldErrors = {
    // Too many ids is a later entry and wins over missing ids.
    ...(await missingRelations(tx, write, names)),
    ...fieldErrors(collection, after, names),
    ...(request ? unknownFiles(collection, before, after, names, request.uploads?.names()) : {}),
    ...(await request?.uploads?.errors(after)),
    ...write.formErrors,
  }
  if (hasFields(found)) throw new ApiError(400, failedTo[action], found)
  if (!before && collection.type === 'auth') await refuseDuplicateAccount(tx, collection, after.id)
}

/**
 * Writes the row and its files, and signs out an account that must sign in again.
 *
 * @throws ApiError 400 if another record has the same unique values
 */
export async function store(tx: WriteContext, write: RecordWrite): Promise<void> {
  const { action, collection, before, after } = write
  await reportDuplicates(collection, failedTo[action], () =>
    before ? updateRow(tx, collection, after, changed(write)) : insertRow(tx, collection, after),
  )
  if (!before) tx.locked.add(collection, after.id)
  tx.written.add(collection, after)
  await applyFiles(tx, write)
  if (!before || !mustSignIn(write)) return
  await signOut(tx, after.id)
  if (before['password'] !== after['password']) await tx.core.sessions.forgetOrigins(tx, after.id)
}

/** Runs the `applied` hook and notes the event. */
export async function applyHooks(tx: WriteContext, write: RecordWrite): Promise<void> {
  const { action, collection, after } = write
  await tx.core.hooks[collection.name]?.applied?.(write, tx)
  tx.events.changed(action, collection, after, write.isForOwner)
}

/** Ends every session of an account and notifies its connections. */
export async function signOut(tx: WriteContext, id: string): Promise<void> {
  await tx.core.sessions.end(tx, id)
  tx.events.signedOut({ id })
}

async function fillNew(tx: WriteContext, { collection, after, request }: RecordWrite) {
  if (after.id) await refuseTrashedId(tx, collection, after.id)
  fillGenerated(collection, after)
  if (collection.type === 'auth') after['tokenKey'] = randomKey(50)
  // The server may set a date itself, such as when it imports older records.
  const isGiven = (name: string) => !request && after[name] !== ''
  const dates = autodateFields(collection).filter((field) => !isGiven(field.name))
  setDates(after, dates, tx.core.now())
}

function fillChanged(tx: WriteContext, write: RecordWrite): void {
  const { collection, before, after, request } = write
  if (mustSignIn(write)) after['tokenKey'] = randomKey(50)
  write.isForOwner = changed(write).every(({ readable }) => readable === 'owner')
  // A date would tell others of it.
  if (write.isForOwner) return
  const isGiven = (name: string) => !request && after[name] !== before![name]
  const dates = autodateFields(collection).filter((field) => field.onUpdate && !isGiven(field.name))
  setDates(after, dates, tx.core.now())
}

/** A new password, email or key ends every session. */
function mustSignIn({ collection, before, after }: RecordWrite): boolean {
  const names = ['password', 'email', 'tokenKey']
  return collection.type === 'auth' && names.some((name) => before?.[name] !== after[name])
}

/** @returns the fields whose stored value differs */
function changed({ collection, before, after }: RecordWrite): Field[] {
  return collection.fields.filter(
    (field) =>
      before![field.name] !== after[field.name] &&
      encode(field, before![field.name]) !== encode(field, after[field.name]),
  )
}

const allNames = memo(
  ({ fields }: Collection): ReadonlySet<string> => new Set(fields.map(({ name }) => name)),
)

function namesOf(fields: readonly Field[], { isLoss }: RecordWrite): ReadonlySet<string> {
  const checked = isLoss ? fields.filter(({ type }) => type !== 'relation') : fields
  return new Set(checked.map(({ name }) => name))
}
