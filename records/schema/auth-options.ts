import type { Field, Rule } from './field.ts'

/** How an auth collection signs its accounts in. Durations in seconds. */
export interface AuthOptions {
  /** A token's life; the session behind it ends after `sessionIdle` unused, `sessionLife` in all. */
  tokenLife: number
  sessionIdle: number
  sessionLife: number
  /** The fields whose value is asked for beside the password, each unique by itself; absent is the email. */
  identityFields?: readonly string[]
  /** With a `life` of 0 no codes are mailed and none is taken. */
  otp: { digits: number; life: number; tries: number }
  /** A password alone answers 401 with an `mfaId`; the mailed code completes it. */
  mfa: { life: number }
  /** How long a browser that is trusted is asked for no code; absent is that none can be. */
  trust?: { life: number }
  /** Which accounts may sign in, and stay; absent or '' is all of them. */
  rule?: Rule
  /**
   * Who else runs an account: sees its address, and changes that, its verification and its password
   * without the old one. For signed-in viewers only; absent is nobody.
   */
  manage?: Rule
}

/** What every account has. */
export const authFields: readonly Field[] = [
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
]

const byEmail = ['email']

/** @returns the names of the fields that accounts sign in by */
export function identityFields({ auth }: { auth?: AuthOptions | undefined }): readonly string[] {
  return auth?.identityFields ?? byEmail
}

/** @throws Error for a field to sign in by that is not there, or that two accounts can share */
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
