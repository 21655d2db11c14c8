import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'

/** A mail about an account, for the application to word and send. */
export type AuthMail = {
  to: string
  /** Name of the account's collection. */
  collection: string
  /** The account, reduced by {@link mailRecord}. */
  record: StoredRecord
  /** The origin for its links, if not the application's usual one. */
  origin?: string
} & (
  | {
      /** The token is for the API call of that name, such as confirm-verification. */
      kind: 'verification' | 'passwordReset' | 'emailChange'
      token: string
      expires: Date
    }
  /** Sent to the account's previous address. */
  | { kind: 'emailChanged'; newEmail: string }
  /** Too many wrong codes followed the right password; no code is accepted until then. */
  | { kind: 'otpLockout'; until: Date }
  /** Someone signed in from a new place. */
  | { kind: 'newDevice'; address: string; agent: string; time: Date }
  /** A session begun by this user agent was ended, because a replaced token was used again. */
  | { kind: 'sessionReused'; agent: string; time: Date }
  /** A provider's account can now sign in to this one. */
  | { kind: 'linked'; provider: string }
  /** A passkey of this name can now sign in. */
  | { kind: 'passkeyAdded'; name: string }
)

/** @returns the account's email and the fields everyone may see */
export function mailRecord({ fields }: Collection, record: StoredRecord): StoredRecord {
  const visible = fields.filter(
    ({ name, readable = 'everyone' }) => readable === 'everyone' || name === 'email',
  )
  return {
    ...Object.fromEntries(visible.map(({ name }) => [name, record[name]])),
    id: record.id,
  }
}
