import { ApiError } from '../errors.ts'
import type { Field, Rule } from './field.ts'

/** How accounts of an auth collection sign in. Durations in seconds. */
export interface AuthOptions {
  /**
   * A token's life. Its session ends after `sessionIdle` without use, or `sessionLife` after
   * sign-in.
   */
  tokenLife: number
  sessionIdle: number
  sessionLife: number
  /** The fields to sign in by, each of which must be unique; by default the email. */
  identityFields?: readonly string[]
  /** False where nobody signs in, signs up or confirms anything with a password. */
  passwords?: boolean
  /**
   * With a `life` of 0, codes are turned off. `delivery` is how long mailing a code may take, by
   * default no time: until the application calls `otpDelivered`, a code lives for both together.
   */
  otp: { digits: number; life: number; tries: number; delivery?: number }
  /** A password alone gets 401 with an `mfaId`; the mailed code completes the sign-in. */
  mfa: { life: number }
  /** How long a trusted browser can sign in without a code; absent if none can. */
  trust?: { life: number }
  /** Which accounts may sign in and stay signed in; absent or '' for all. */
  rule?: Rule
  /**
   * Who else may manage an account: see its email, and change its email, verification and password
   * without the old one. Only signed-in viewers can; absent for nobody.
   */
  manage?: Rule
}

/** The fields of every account. */
export const authFields = [
  {
    name: 'email',
    type: 'email',
    ignoresCase: true,
    required: true,
    readable: 'self',
    writable: 'create',
  },
  { name: 'emailVisibility', type: 'bool', readable: 'nobody', writable: 'never' },
  { name: 'verified', type: 'bool', readable: 'self', writable: 'never' },
  { name: 'password', type: 'password', required: true, min: 8, max: 71, readable: 'nobody' },
  { name: 'tokenKey', type: 'text', readable: 'nobody', writable: 'never' },
] as const satisfies readonly Field[]

const byEmail = ['email']

/**
 * @param status 400 or 403, as PocketBase answers
 * @throws ApiError if accounts have no passwords
 */
export function requirePasswords(
  { auth }: { auth?: AuthOptions | undefined },
  status: 400 | 403 = 400,
): void {
  if (auth?.passwords === false)
    throw new ApiError(status, 'The collection is not configured to allow password authentication.')
}

/** @returns the names of the fields to sign in by */
export function identityFields({ auth }: { auth?: AuthOptions | undefined }): readonly string[] {
  return auth?.identityFields ?? byEmail
}

/** @throws Error if a field to sign in by doesn't exist or isn't unique */
export function requireIdentityFields(collection: {
  name: string
  type: string
  unique: readonly (readonly string[])[]
  auth?: AuthOptions | undefined
}): void {
  for (const name of identityFields(collection))
    if (collection.type === 'auth' && !collection.unique.some((index) => index.join() === name))
      throw new Error(`${collection.name} signs in by ${name}, which is not unique`)
}
