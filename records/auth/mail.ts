import type { Collection } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'

/** A mail about an account, for the application to word and send. */
export type AuthMail = {
  to: string
  /** Name of the account's collection. */
  collection: string
  /** The account, as far as {@link mailRecord} tells of it. */
  record: StoredRecord
  /** Where its links should lead, if not to the application's usual address. */
  origin?: string
} & (
  | {
      /** The token completes the call of the same name: confirm-verification and so on. */
      kind: 'verification' | 'passwordReset' | 'emailChange'
      token: string
      expires: Date
    }
  /** To the address the account had until now. */
  | { kind: 'emailChanged'; newEmail: string }
  /** Too many codes were wrong after the right password; none is taken until then. */
  | { kind: 'otpLockout'; until: Date }
  /** Somebody signed in from where nobody did before. */
  | { kind: 'newDevice'; address: string; agent: string; time: Date }
  /** A session begun by this user agent was ended: a token that had been replaced was used again. */
  | { kind: 'sessionReused'; agent: string; time: Date }
  /** An account elsewhere can now sign in to this one. */
  | { kind: 'linked'; provider: string }
)

/** @returns of an account what a mail needs: its address and what everyone may see, nothing else */
export function mailRecord({ fields }: Collection, record: StoredRecord): StoredRecord {
  const visible = fields.filter(
    ({ name, readable = 'everyone' }) => readable === 'everyone' || name === 'email',
  )
  return {
    ...Object.fromEntries(visible.map(({ name }) => [name, record[name]])),
    id: record.id,
  }
}
