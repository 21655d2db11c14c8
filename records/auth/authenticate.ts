import type { Viewer } from '../access/request.ts'
import type { Core } from '../core.ts'
import { ApiError } from '../errors.ts'
import { cookieToken } from './cookie.ts'
import { readSession, touchSession } from './sessions.ts'
import type { Tokens } from './tokens.ts'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** A session's last use is noted this often at most, so that reading does not mean writing. */
const touchEvery = 3_600_000

/** @returns whether the request brings its session in the cookie rather than in the header */
export function usesCookie(request: Request): boolean {
  return !request.headers.get('authorization')
}

/** @returns whether a browser vouches that the page asking is the application's own */
export function isSameOrigin(request: Request, appOrigin: string): boolean {
  return (
    request.headers.get('origin') === appOrigin ||
    request.headers.get('sec-fetch-site') === 'same-origin'
  )
}

/** @returns a function that says who makes a request; see `authenticate` in ../index.ts */
export function authenticator(
  core: Core,
  tokens: Tokens,
  appOrigin: string,
  background: (work: Promise<unknown>) => void,
): (request: Request) => Promise<Viewer | null> {
  async function viewerOf(token: string): Promise<Viewer | null> {
    const claims = tokens.read(token)
    const collection = claims && core.schema.find(claims.collectionId)
    if (!claims || collection?.type !== 'auth') return null
    const now = core.now()
    const session = await readSession(core.database, collection, claims.sid, now.getTime())
    if (!session || session.record.id !== claims.id) return null
    const tokenKey = String(session.record['tokenKey'])
    if (!(await tokens.verify(token, claims, tokenKey, now))) return null
    if (now.getTime() - session.used > touchEvery)
      background(core.database.transaction((tx) => touchSession(tx, session.id, now.getTime())))
    return {
      id: claims.id,
      collectionId: collection.id,
      collectionName: collection.name,
      session: session.id,
      expires: claims.exp * 1000,
      record: session.record,
    }
  }

  async function identify(request: Request): Promise<Viewer | null> {
    const header = request.headers.get('authorization')
    if (header) return viewerOf(header.replace(/^bearer\s+/i, ''))
    const token = cookieToken(request.headers.get('cookie'))
    const viewer = token ? await viewerOf(token) : null
    // Browsers send the cookie along with other sites' requests, too.
    if (viewer && !safeMethods.includes(request.method) && !isSameOrigin(request, appOrigin))
      throw new ApiError(403)
    return viewer
  }

  return identify
}
