import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { query } from '../database/query.ts'
import { ApiError, hasFields, type FieldErrors } from '../errors.ts'
import { lockRow } from '../write/rows.ts'
import { coerce } from '../schema/coerce.ts'
import { identityFields } from '../schema/auth-options.ts'
import type { Collection } from '../schema/collection.ts'
import type { Field } from '../schema/field.ts'
import { errors, validate } from '../schema/validate.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import type { Passwords } from './password.ts'
import type { WriteContext } from '../write/context.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * A password that is about to be stored. The hash is empty if the password breaks its field's
 * limits.
 */
interface NewPassword {
  hash: string
  errors: FieldErrors
}

/**
 * The account stage of a sign-up, which checks the account's own fields before all others.
 *
 * @param isManaged whether the account is created by someone who manages such accounts
 * @throws ApiError 400 with the errors of password, passwordConfirm or verified
 */
export async function newAccount(
  passwords: Passwords,
  collection: Collection,
  body: Body,
  isManaged = false,
): Promise<NewPassword> {
  const { password, passwordConfirm } = passwordsIn(body)
  const found: FieldErrors = {}
  if (!isManaged && coerce(fieldOf(collection, 'verified'), body['verified']))
    found['verified'] = errors.mismatch
  if (!password) found['password'] = errors.required
  confirm(found, password, passwordConfirm)
  refuse(found, 'Failed to create record.')
  return newPassword(passwords, collection, password)
}

/**
 * The account stage of an update. Email and verification can't change here, and a new password
 * needs the old one.
 *
 * @param isManaged whether the viewer manages the account, which lifts both restrictions
 * @returns undefined if the password stays; otherwise the new one, and the hash it may replace
 * @throws ApiError 400 with the errors of email, verified, password, passwordConfirm or oldPassword
 */
export async function accountChange(
  passwords: Passwords,
  collection: Collection,
  stored: StoredRecord,
  body: Body,
  isManaged = false,
): Promise<(NewPassword & { replaces: unknown }) | undefined> {
  const found: FieldErrors = {}
  for (const name of isManaged ? [] : ['email', 'verified'])
    if (body[name] !== undefined && coerce(fieldOf(collection, name), body[name]) !== stored[name])
      found[name] = errors.mismatch
  const { password, passwordConfirm, oldPassword } = passwordsIn(body)
  const isChange = password !== '' || passwordConfirm !== '' || oldPassword !== ''
  if (isChange) {
    if (!password) found['password'] = errors.required
    confirm(found, password, passwordConfirm)
    if (!isManaged && !oldPassword) found['oldPassword'] = errors.required
    else if (!isManaged && !(await passwords.verify(String(stored['password']), oldPassword)))
      found['oldPassword'] = errors.oldPassword
  }
  refuse(found, 'Failed to update record.')
  if (!isChange) return undefined
  return { ...(await newPassword(passwords, collection, password)), replaces: stored['password'] }
}

/** @returns the errors of a new password and its confirmation */
export function passwordErrors(
  collection: Collection,
  { password, passwordConfirm }: { password: string; passwordConfirm: string },
): FieldErrors {
  const found = lengthErrors(collection, password)
  if (passwordConfirm !== password) found['passwordConfirm'] = errors.mismatch
  return found
}

/** @returns the account with this email in any case, locked for a write; null if there is none */
export async function findAccount(
  tx: WriteContext,
  collection: Collection,
  email: string,
): Promise<StoredRecord | null> {
  const address = String(coerce(emailField(collection), email))
  const [row] = await query(
    tx,
    sql`SELECT id FROM ${sql.table(collection.name)} WHERE email = ${address} AND email <> ''`,
  )
  const account = row ? await lockRow(tx, collection, String(row[0]), 'update') : null
  return account?.['email'] === address ? account : null
}

/** @returns the account with this email in any case, as it is stored now; null if there is none */
export async function readAccount(
  db: Db,
  collection: Collection,
  email: string,
): Promise<StoredRecord | null> {
  return readBy(db, collection, 'email', email)
}

export interface PasswordAttempt {
  identity: string
  /** The field to look the identity up in; '' tries every identity field, email first. */
  by: string
  password: string
  /** The id of a half-done sign-in; '' for none. */
  mfaId: string
}

/** @returns the account with this identity, as it is stored now; null if there is none */
export async function readIdentity(
  db: Db,
  collection: Collection,
  { identity, by }: Pick<PasswordAttempt, 'identity' | 'by'>,
): Promise<StoredRecord | null> {
  const isEmail = (name: string) => Number(name === 'email')
  const names = identityFields(collection).toSorted((a, b) => isEmail(b) - isEmail(a))
  for (const name of by ? [by] : names) {
    const found = await readBy(db, collection, name, identity)
    if (found) return found
  }
  return null
}

async function readBy(
  db: Db,
  collection: Collection,
  name: string,
  typed: string,
): Promise<StoredRecord | null> {
  const columns = sql.join(collection.fields.map((field) => sql.ref(field.name)))
  const value = String(coerce(fieldOf(collection, name), typed))
  if (!value) return null
  const [column, table] = [sql.ref(name), sql.table(collection.name)]
  // The `<> ''` lets the database use a partial index that leaves out empty values.
  const [row] = await query(
    db,
    sql`SELECT ${columns} FROM ${table} WHERE ${column} = ${value} AND ${column} <> ''`,
  )
  return row ? toRecord(collection, row) : null
}

/** @returns the field for the email of a collection's accounts */
export function emailField(collection: Collection): Field {
  return fieldOf(collection, 'email')
}

/** The values that only someone who manages the account may set. */
export function managedValues(collection: Collection, body: Body): Partial<StoredRecord> {
  return Object.fromEntries(
    ['email', 'verified']
      .filter((name) => body[name] !== undefined)
      .map((name) => [name, coerce(fieldOf(collection, name), body[name])]),
  )
}

function passwordsIn(body: Body) {
  const text = (name: string) => {
    const value = body[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  return {
    password: text('password'),
    passwordConfirm: text('passwordConfirm'),
    oldPassword: text('oldPassword'),
  }
}

function confirm(found: FieldErrors, password: string, passwordConfirm: string): void {
  if (!passwordConfirm) found['passwordConfirm'] = errors.required
  else if (passwordConfirm !== password) found['passwordConfirm'] = errors.mismatch
}

async function newPassword(
  passwords: Passwords,
  collection: Collection,
  password: string,
): Promise<NewPassword> {
  const found = lengthErrors(collection, password)
  return { hash: hasFields(found) ? '' : await passwords.hash(password), errors: found }
}

/** The field's own limits, on the password as typed. */
function lengthErrors(collection: Collection, password: string): FieldErrors {
  return validate(collection, { id: '', password }, new Set(['password']), password)
}

function refuse(found: FieldErrors, message: string): void {
  if (hasFields(found)) throw new ApiError(400, message, found)
}

function fieldOf(collection: Collection, name: string): Field {
  return collection.fields.find((field) => field.name === name)!
}
