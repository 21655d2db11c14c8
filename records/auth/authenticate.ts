import type { Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import { currentBudget } from '../database/request-budget.ts'
import { ApiError } from '../errors.ts'
import { isLongAgo } from '../long-ago.ts'
import { findRecord } from '../read/read.ts'
import type { Collection } from '../schema/collection.ts'
import { isApiToken, readApiToken, touchApiToken } from './api-tokens.ts'
import { cookieTokens, hasSeveralSessions, withOneSession } from './cookie.ts'
import type { Pauses } from './pauses.ts'
import { isReused } from './rotation.ts'
import { readSession, touchSession } from './sessions.ts'
import type { Tokens } from './tokens.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** @returns whether the request's method only reads */
export const isSafe = ({ method }: Request): boolean => safeMethods.includes(method)

/**
 * Milliseconds between updates of a session's or API token's last use, so that not every read causes
 * a write.
 */
const touchEvery = 3_600_000

/** @returns whether the session comes from the cookie rather than the Authorization header */
export function usesCookie(request: Request): boolean {
  return !request.headers.get('authorization')
}

/** Decides which pages belong to the application. */
export interface AllowedOrigins {
  appOrigin: string
  /** Accepts pages from another address of this machine; see ../index.ts. */
  isOwnAddress: ((url: URL) => boolean) | undefined
  /** Called with the origin of each refused page; '' if the request names none. */
  onForeignOrigin: ((origin: string) => void) | undefined
}

/**
 * @returns whether the browser's headers show that the request comes from the application's own
 *   page
 */
function isSameOrigin(request: Request, { appOrigin, isOwnAddress }: AllowedOrigins): boolean {
  const origin = request.headers.get('origin')
  if (origin === appOrigin || request.headers.get('sec-fetch-site') === 'same-origin') return true
  // Browsers send Sec-Fetch-Site to secure origins only. Elsewhere Origin must match the request's
  // URL.
  const url = origin && isOwnAddress ? URL.parse(request.url) : null
  return url !== null && url.origin === origin && isOwnAddress?.(url) === true
}

/** @throws ApiError 403 if the request comes from a foreign page */
export function refuseForeignOrigin(request: Request, ownPages: AllowedOrigins): void {
  if (isSameOrigin(request, ownPages)) return
  ownPages.onForeignOrigin?.(request.headers.get('origin') ?? '')
  throw new ApiError(403)
}

interface Authenticator {
  authenticate: (request: Request) => Promise<Viewer | null>
  readAs: (request: Request, collection: Collection, id: string) => Promise<void>
  sessionCookies: (request: Request) => Promise<string>
}

interface CookieSession {
  token: string
  viewer: Viewer | null
}

const nobody: CookieSession = { token: '', viewer: null }

interface AuthenticatorEvents {
  /** Runs work that the response doesn't wait for. */
  background: (work: Promise<unknown>) => void
  onViewer: ((viewer: Viewer) => void) | undefined
  /** Ends a session whose replaced token was used again. */
  onReuse: (collection: Collection, session: { id: string; sid: string }) => Promise<void>
}

/** @returns the milliseconds since the request came that this is done for */
function waited(): number {
  const began = currentBudget()?.began
  return began === undefined ? 0 : performance.now() - began
}

/** Distinct session cookies to check. A request with more counts as a visitor's. */
const maxCookies = 4

/**
 * Identifies the viewer of a request and the session cookie that counts; see `Records` in
 * ../index.ts.
 */
export function authenticator(
  core: Core,
  tokens: Tokens,
  pauses: Pauses,
  ownPages: AllowedOrigins,
  { background, onViewer, onReuse }: AuthenticatorEvents,
): Authenticator {
  const ownRequests = new WeakMap<Request, Viewer>()

  async function ofApiToken(token: string): Promise<Viewer | null> {
    const { database, schema } = core
    const now = core.now()
    const found = await readApiToken(database, schema, token, now.getTime())
    if (!found) return null
    const { id, scope, expires, collection, record } = found
    if (isLongAgo(found.used, touchEvery, now.getTime()))
      background(database.transaction((tx) => touchApiToken(tx, id, now)))
    return {
      id: record.id,
      collectionId: collection.id,
      collectionName: collection.name,
      session: id,
      scope,
      expires,
      record,
    }
  }

  async function viewerOf(token: string): Promise<Viewer | null> {
    const claims = tokens.read(token)
    const collection = claims && core.schema.find(claims.collectionId)
    if (!claims || collection?.type !== 'auth') return null
    const now = core.now()
    const session = await readSession(core.database, collection, claims.sid, now.getTime())
    if (!session || session.record.id !== claims.id) return null
    const tokenKey = String(session.record['tokenKey'])
    if (!(await tokens.verify(token, claims, tokenKey, now))) return null
    if (isReused(session, claims.gen, { now: now.getTime(), waited: waited(), pauses })) {
      await onReuse(collection, claims)
      return null
    }
    if (isLongAgo(session.used, touchEvery, now.getTime()))
      background(core.database.transaction((tx) => touchSession(tx, session.id, now.getTime())))
    return {
      id: claims.id,
      collectionId: collection.id,
      collectionName: collection.name,
      session: session.id,
      generation: claims.gen,
      expires: claims.exp * 1000,
      record: session.record,
    }
  }

  /** An attacker may have planted any of several cookies, so exactly one must be a live session. */
  async function sessionOf(header: string | null): Promise<CookieSession> {
    const tokens = cookieTokens(header)
    if (tokens.length > maxCookies) return nobody
    let found = nobody
    for (const token of tokens) {
      const viewer = await viewerOf(token)
      if (!viewer) continue
      if (found.viewer && found.viewer.session !== viewer.session) return nobody
      found = { token, viewer }
    }
    return found
  }

  async function identify(request: Request): Promise<Viewer | null> {
    const inside = ownRequests.get(request)
    if (inside) return chargeViewer(inside)
    const header = request.headers.get('authorization')
    if (header) {
      const token = header.replace(/^bearer\s+/i, '')
      const isByProgram = isApiToken(core.schema, token)
      return chargeViewer(await (isByProgram ? ofApiToken(token) : viewerOf(token)))
    }
    const { viewer } = await sessionOf(request.headers.get('cookie'))
    // Browsers also send the cookie with requests from other sites.
    if (viewer && !isSafe(request)) refuseForeignOrigin(request, ownPages)
    return chargeViewer(viewer)
  }

  /** @throws ApiError 429 if the account's budget is spent */
  function chargeViewer(viewer: Viewer | null): Viewer | null {
    if (!viewer) return null
    onViewer?.(viewer)
    currentBudget()?.setAccount(viewer.id)
    return viewer
  }

  return {
    authenticate: identify,
    async readAs(request, collection, id) {
      const record = await findRecord(core.database, collection, id)
      if (!record) throw new ApiError(404)
      const { id: collectionId, name: collectionName } = collection
      const scope = { level: 'read', collections: [] } as const
      ownRequests.set(request, { id, collectionId, collectionName, session: '', scope, record })
    },
    async sessionCookies({ headers }) {
      const header = headers.get('cookie') ?? ''
      if (!hasSeveralSessions(header)) return header
      return withOneSession(header, (await sessionOf(header)).token)
    },
  }
}
