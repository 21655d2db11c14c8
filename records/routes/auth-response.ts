import type { Context } from 'hono'
import { refuseForeignOrigin, usesCookie } from '../auth/authenticate.ts'
import {
  cookieTokens,
  deviceCookie,
  deviceTokens,
  expiredCookie,
  sessionCookie,
} from '../auth/cookie.ts'
import { noTrust, type DeviceTrust } from '../auth/devices.ts'
import type { Auth, SignIn } from '../auth/index.ts'
import { alertNewOrigin } from '../auth/warnings.ts'
import type { Core } from '../write/core.ts'
import { ApiError } from '../errors.ts'
import { parseFields, pickJson } from '../read/pick.ts'
import { presentRecord } from '../read/read.ts'
import type { AuthCollection } from '../schema/collection.ts'
import { safeJson } from '../read/wire.ts'
import { errorResponse, jsonResponse, toJson } from './response.ts'
import { requestInfo, type Env, type Handler } from './request-info.ts'

export interface AuthRouteDeps {
  core: Core
  auth: Auth
  clientAddress: (c: Context) => string
}

interface SignInDetails {
  /** How the account was identified; 'default' for a refreshed session. */
  context: 'default' | 'password' | 'otp' | 'oauth2' | 'passkey'
  /** A provider's account, for the response. */
  meta?: object
}

/**
 * Responds with the record and its token. If a browser sends `X-Session: cookie` or its session
 * cookie, the token is only in the cookie, where no script can read it.
 */
export async function signInResponse(
  { core, auth, clientAddress }: AuthRouteDeps,
  collection: AuthCollection,
  { viewer, token, life, trusted }: SignIn,
  c: Context<Env>,
  { context, meta }: SignInDetails,
): Promise<Response> {
  refuseForeignCookie(auth, c)
  const { expand = '', fields } = c.req.query()
  const request = { ...requestInfo(c, context), viewer }
  const { database, schema } = core
  const shape = { expand, asSelf: true }
  const record = await presentRecord(database, schema, collection, viewer.id, request, shape)
  const metaPart = meta ? `"meta":${toJson(meta)},` : ''
  const byCookie = usesSessionCookie(c)
  const json = `{${metaPart}"record":${record},"token":${toJson(byCookie ? '' : token)}}`
  const answer = jsonResponse(safeJson(pickJson(json, parseFields(fields))))
  if (byCookie) {
    const { isSecure } = auth
    const cookie = sessionCookie(token, collection, viewer.record, life, isSecure)
    answer.headers.append('Set-Cookie', cookie)
    if (trusted) {
      const tokens = [trusted, ...trustOf(c).tokens]
      const kept = deviceCookie(tokens, collection.auth.trust?.life ?? 0, isSecure)
      answer.headers.append('Set-Cookie', kept)
    }
  }
  if (context !== 'default') {
    const origin = { address: clientAddress(c), agent: c.req.header('user-agent') ?? '' }
    const accounts = auth.accountsFor(c)
    accounts.background(alertNewOrigin(accounts, collection, viewer.id, origin))
  }
  return answer
}

/** Whether to send the session as a cookie: the browser asks for it or sent one. */
export function usesSessionCookie(c: Context<Env>): boolean {
  const cameByCookie = c.get('viewer') !== null && usesCookie(c.req.raw)
  return wantsCookie(c) || cameByCookie
}

/** @throws ApiError 403 if another site's page would set the browser's session */
export function refuseForeignCookie(auth: Auth, c: Context<Env>): void {
  if (usesSessionCookie(c)) refuseForeignOrigin(c.req.raw, auth.ownPages)
}

/**
 * Reads a browser's device tokens and whether it wants to be trusted. Only browsers that keep their
 * session in a cookie, hidden from scripts, can be.
 */
export function trustOf(c: Context<Env>): DeviceTrust {
  if (!wantsCookie(c)) return noTrust
  return {
    tokens: deviceTokens(c.req.raw.headers.get('cookie')),
    isRequested: c.get('body')?.['trustDevice'] === true,
  }
}

/** Also clears the browser's session cookie if the handler refuses with one of these statuses. */
export function clearsCookie(
  { auth }: AuthRouteDeps,
  statuses: readonly number[],
  handle: Handler,
): Handler {
  return async (c) => {
    try {
      return await handle(c)
    } catch (error) {
      const isDead = error instanceof ApiError && statuses.includes(error.status)
      const cookie = c.req.raw.headers.get('cookie')
      if (!isDead || !wantsCookie(c) || !cookieTokens(cookie).length) throw error
      const answer = errorResponse(error)
      answer.headers.append('Set-Cookie', expiredCookie(auth.isSecure))
      return answer
    }
  }
}

/** Whether a browser client asks for its session in a cookie. */
export function wantsCookie(c: Context<Env>): boolean {
  return c.req.header('x-session') === 'cookie'
}
