import { findRecord } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import type { AccountDeps } from './mail-links.ts'

/**
 * Warns an account's owner that someone who knows the password is guessing codes.
 *
 * @param wait milliseconds for which the account accepts no code
 */
export function mailOtpLockout(
  deps: AccountDeps,
  collection: Collection,
  id: string,
  wait: number,
): void {
  const { core } = deps
  const until = new Date(core.now().getTime() + wait)
  deps.background(
    findRecord(core.database, collection, id).then((record) => {
      if (!record) return
      const to = String(record['email'])
      deps.mail({ kind: 'otpLockout', to, collection: collection.name, record, until })
    }),
  )
}
