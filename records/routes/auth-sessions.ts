import type { Context } from 'hono'
import { expiredCookie } from '../auth/cookie.ts'
import { revokeDevice, endSession, endSessions, openSessions } from '../auth/open-sessions.ts'
import { ApiError } from '../errors.ts'
import { formatDate } from '../schema/coerce.ts'
import { emptyResponse, pickedResponse, toJson } from './response.ts'
import { usesSessionCookie, type AuthRouteDeps } from './auth-response.ts'
import { ownAccount } from './auth-form.ts'
import type { Env, Handler } from './request-info.ts'

/** `GET /collections/:collection/sessions`: the viewer's open sessions and trusted devices */
export function sessionsRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    const { sessions, devices } = await openSessions(core, collection, viewer)
    const dated = <T extends { created: number; used: number }>(one: T) => ({
      ...one,
      created: date(one.created),
      used: date(one.used),
    })
    const open = {
      sessions: sessions.map(dated),
      devices: devices.map((one) => ({ ...dated(one), expires: date(one.expires) })),
    }
    return pickedResponse(c, toJson(open))
  }
}

/** `DELETE /collections/:collection/sessions/:id` */
export function endSessionRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    const { viewer } = ownAccount(deps.core, c)
    const id = key(c)
    if (!(await endSession(deps.core, viewer.id, id))) throw new ApiError(404)
    return id === viewer.session ? signedOut(deps, c) : emptyResponse()
  }
}

/** `DELETE /collections/:collection/sessions`: signs out everywhere and forgets trusted devices */
export function endSessionsRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    const { viewer } = ownAccount(deps.core, c)
    await endSessions(deps.core, viewer.id)
    return signedOut(deps, c)
  }
}

/** `DELETE /collections/:collection/trusted-devices/:id` */
export function revokeDeviceRoute({ core }: AuthRouteDeps): Handler {
  return async (c) => {
    const { viewer } = ownAccount(core, c)
    if (!(await revokeDevice(core, viewer.id, key(c)))) throw new ApiError(404)
    return emptyResponse()
  }
}

function signedOut({ auth }: AuthRouteDeps, c: Context<Env>): Response {
  const answer = emptyResponse()
  if (usesSessionCookie(c)) answer.headers.append('Set-Cookie', expiredCookie(auth.isSecure))
  return answer
}

function key(c: Context<Env>): string {
  const id = c.req.param('id') ?? ''
  if (!/^\w{1,100}$/.test(id)) throw new ApiError(404)
  return id
}

const date = (milliseconds: number) => formatDate(new Date(milliseconds))
