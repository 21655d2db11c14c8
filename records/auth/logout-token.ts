import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Transaction } from '../database/database.ts'
import { useOnce } from './use-once.ts'

/** The member of a logout token's `events` that makes it one. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Seconds since a logout token was issued for which it is accepted, and by which clocks may differ. */
const maxAge = 300
const tolerance = 30

/** Asymmetric signatures, for providers that don't say which they use. */
const signatures = /^(?:RS|PS|ES)\d+$|^(?:EdDSA|Ed25519)$/

/** A provider's message that one or all of an account's sessions there have ended. */
export interface Logout {
  /** The token's `jti`. */
  id: string
  /** '' for whoever has the session. */
  subject: string
  /** '' for all of the account's sessions. */
  session: string
}

/** What to check logout tokens against. */
interface Verifier {
  issuer: string
  clientId: string
  keys: ReturnType<typeof createRemoteJWKSet>
  /** The provider's algorithms for ID tokens, which logout tokens use too. */
  algorithms: readonly string[]
}

/** @returns the keys of a provider, which are fetched when they are first needed */
export function providerKeys(url: string, seconds: number): Verifier['keys'] {
  return createRemoteJWKSet(new URL(url), { timeoutDuration: seconds * 1000 })
}

/**
 * Verifies a logout token as OpenID Connect Back-Channel Logout 1.0, section 2.6, says, except for
 * its replay; see {@link useLogoutToken}.
 *
 * @throws if anything in it is wrong, or the provider's keys cannot be fetched
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, algorithms }: Verifier,
  now: Date,
): Promise<Logout> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: algorithms.filter((one) => signatures.test(one)),
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
    maxTokenAge: maxAge,
    clockTolerance: tolerance,
    currentDate: now,
  })
  const { typ = 'JWT' } = protectedHeader
  if (!['jwt', 'logout+jwt'].includes(typ.toLowerCase()))
    throw new Error(`a token of the type ${typ} ends no session`)
  const { events, jti = '', sub: subject = '', sid = '' } = payload
  const event = isObject(events) ? events[logoutEvent] : undefined
  if (!isObject(event)) throw new Error('the token does not say that a session has ended')
  if (Object.hasOwn(payload, 'nonce')) throw new Error('a logout token has no nonce')
  if (typeof sid !== 'string' || typeof subject !== 'string' || typeof jti !== 'string' || !jti)
    throw new Error('sid, sub and jti must be texts')
  if (!sid && !subject) throw new Error('the token names neither a session nor an account')
  if (`${sid}${subject}`.includes('\0')) throw new Error('sid and sub must be texts')
  return { id: jti, subject, session: sid }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns false if the logout token had been used before */
export function useLogoutToken(
  tx: Transaction,
  provider: string,
  { id }: Logout,
  now: number,
): Promise<boolean> {
  return useOnce(tx, `logout ${provider} ${id}`, (maxAge + 2 * tolerance) * 1000, now)
}
