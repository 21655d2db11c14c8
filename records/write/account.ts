import { ApiError, failedTo, hasFields, type FieldErrors } from '../errors.ts'
import type { Passwords } from '../passwords.ts'
import { requirePasswords } from '../schema/auth-options.ts'
import { coerce } from '../schema/coerce.ts'
import { fieldOf, type Collection } from '../schema/collection.ts'
import { errors, validate } from '../schema/validate.ts'
import type { StoredRecord } from '../schema/values.ts'

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
 * @throws ApiError 400 with the errors of password, passwordConfirm or verified; 403 if accounts
 *   have no passwords
 */
export async function newAccount(
  passwords: Passwords,
  collection: Collection,
  body: Body,
  isManaged = false,
): Promise<NewPassword> {
  if (!isManaged) requirePasswords(collection, 403)
  const { password, passwordConfirm } = passwordsIn(body)
  const found: FieldErrors = {}
  if (!isManaged && coerce(fieldOf(collection, 'verified'), body['verified']))
    found['verified'] = errors.mismatch
  if (!password) found['password'] = errors.required
  confirm(found, password, passwordConfirm)
  refuse(found, failedTo.create)
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
    if (!isManaged) requirePasswords(collection)
    if (!password) found['password'] = errors.required
    confirm(found, password, passwordConfirm)
    if (!isManaged && !oldPassword) found['oldPassword'] = errors.required
    else if (!isManaged && !(await passwords.verify(String(stored['password']), oldPassword)))
      found['oldPassword'] = errors.oldPassword
  }
  refuse(found, failedTo.update)
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
