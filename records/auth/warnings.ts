import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { text } from '../database/columns.ts'
import { modify, query } from '../database/query.ts'
import { newId } from '../random.ts'
import { lockRow } from '../write/rows.ts'
import type { Collection } from '../schema/collection.ts'
import { transact } from '../write/transaction.ts'
import type { AccountDeps } from './mail-links.ts'
import { endOneSession } from './sessions.ts'
import { findRecord } from '../read/read.ts'

/** Where a sign-in came from. */
interface SignInOrigin {
  address: string
  agent: string
}

/** Origins stored for one account; the oldest is dropped first. */
const maxOrigins = 5

/**
 * Stores the origin of a sign-in, and mails the account's owner if it is new. The account's very
 * first origin sends no mail.
 */
export async function alertNewOrigin(
  deps: AccountDeps,
  collection: Collection,
  id: string,
  origin: SignInOrigin,
): Promise<void> {
  const { address } = origin
  const agent = origin.agent.slice(0, 200)
  if (!address && !agent) return
  // Stored as a hash: it only needs to be compared.
  const fingerprint = createHmac('sha256', deps.secret).update(`${address} ${agent}`).digest('hex')
  await transact(deps.core, async (tx) => {
    const account = await lockRow(tx, collection, id, 'update')
    if (!account) return
    const known = await query(
      tx,
      sql`SELECT id, fingerprint FROM "_authOrigins" WHERE record = ${id} ORDER BY created DESC, id`,
      { id: text, fingerprint: text },
    )
    if (known.some((one) => one.fingerprint === fingerprint)) return
    const time = deps.core.now()
    for (const oldest of known.slice(maxOrigins - 1))
      await modify(tx, '_authOrigins', sql`DELETE FROM "_authOrigins" WHERE id = ${oldest.id}`)
    await modify(
      tx,
      '_authOrigins',
      sql`INSERT INTO "_authOrigins" (id, collection, record, fingerprint, created) VALUES (${newId()}, ${collection.id}, ${id}, ${fingerprint}, ${time.getTime()})`,
    )
    if (!known.length) return
    const to = String(account['email'])
    tx.afterCommit(() =>
      deps.mail({
        kind: 'newDevice',
        to,
        collection: collection.name,
        record: account,
        address,
        agent,
        time,
      }),
    )
  })
}

/**
 * Ends a session whose replaced token was used again, and mails the account's owner. Two parties
 * hold copies of the session, and nothing shows which one is the owner.
 */
export async function endReusedSession(
  deps: AccountDeps,
  collection: Collection,
  { id, sid }: { id: string; sid: string },
): Promise<void> {
  await transact(deps.core, async (tx) => {
    const ended = await endOneSession(tx, id, sid)
    const record = ended && (await tx.find(collection.name, id))
    if (!ended || !record) return
    tx.events.signedOut({ id, session: sid })
    const about = { to: String(record['email']), collection: collection.name, record }
    const time = deps.core.now()
    tx.afterCommit(() => deps.mail({ kind: 'sessionReused', ...about, agent: ended.agent, time }))
  })
}

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
