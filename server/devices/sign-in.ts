import { sql } from 'kysely'
import type { Context } from 'hono'
import {
  clientNetwork,
  flag,
  named,
  prepared,
  RequestCounter,
  text,
  type Database,
} from '#records/index.ts'
import type { DeviceKind } from '#shared/connection.ts'
import { cutText } from '#shared/text.ts'
import { isKeyOf } from './password.ts'

/** R38: refused sign-ins of a username from one network, and of all usernames from it. */
const wrongKeys = {
  ofUsername: { points: 20, seconds: 15 * 60 },
  ofNetwork: { points: 200, seconds: 15 * 60 },
}
/**
 * R43: requests of one connection. A device pushes every 25 seconds, and what it couldn't send at
 * once.
 */
const requests = { points: 600, seconds: 60 }

/** A connection whose password was given. */
export interface SignedIn {
  id: string
  user: string
}

export type SignInRefusal = 'unauthorized' | 'paused' | 'tooMany'

/**
 * Finds the connection that a request signs in with.
 *
 * @param sent.kind the one kind that this door is open for
 * @param sent.key the password's {@link authKey}
 */
export type SignIn = (
  c: Context,
  sent: { kind: DeviceKind; username: string; key: string },
) => Promise<SignedIn | SignInRefusal>

interface SignInDeps {
  database: Database
  /** '' is the process itself. */
  clientAddress: (c: Context) => string
  isLimited: boolean
}

/** Checks usernames and passwords of connections, with one limit for all their doors. */
export function connectionSignIn({ database, clientAddress, isLimited }: SignInDeps): SignIn {
  const ofUsername = new RequestCounter(wrongKeys.ofUsername)
  const ofNetwork = new RequestCounter(wrongKeys.ofNetwork)
  const ofConnection = new RequestCounter(requests)
  return async (c, sent) => {
    const username = cutText(sent.username.trim().toLowerCase(), 40)
    const network = isLimited ? clientNetwork(clientAddress(c)) : ''
    const who = `${username} ${network}`
    const isAnySpent = async () =>
      (await ofUsername.isSpent(who)) || (await ofNetwork.isSpent(network))
    if (network && (await isAnySpent())) return 'tooMany'
    const [connection] = username.includes('\0')
      ? []
      : named(await byUsername(database, { username }), {
          id: text,
          kind: text,
          user: text,
          secret: text,
          paused: flag,
        })
    const isRight = connection?.kind === sent.kind && isKeyOf(connection.secret, sent.key)
    if (!isRight) {
      const hasRoom = network ? [ofUsername.allows(who), ofNetwork.allows(network)] : []
      return (await Promise.all(hasRoom)).includes(false) ? 'tooMany' : 'unauthorized'
    }
    // Others that were sent at the same time may have used up the guesses.
    if (network && (await isAnySpent())) return 'tooMany'
    if (connection.paused) return 'paused'
    if (network && !(await ofConnection.allows(connection.id))) return 'tooMany'
    return { id: connection.id, user: connection.user }
  }
}

const byUsername = prepared<{ username: unknown }>(
  (value) => sql`SELECT id, kind, "user", secret, paused FROM connections
    WHERE username = ${value('username')} AND username <> ''`,
)
