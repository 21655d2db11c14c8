import type { Collection } from '../schema/collection.ts'
import { transact } from '../write/transaction.ts'
import type { AccountDeps } from './mail-links.ts'
import { endOneSession } from './sessions.ts'

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
