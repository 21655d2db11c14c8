import type { Context } from 'hono'
import { isSameOrigin, usesCookie } from '../auth/authenticate.ts'
import { sessionCookie } from '../auth/cookie.ts'
import type { Auth, AuthCollection, SignIn } from '../auth/index.ts'
import type { Core } from '../core.ts'
import { ApiError } from '../errors.ts'
import { parseFields, pickJson } from '../pick.ts'
import { presentRecord } from '../read.ts'
import { errors, isEmail } from '../schema/validate.ts'
import { safeJson } from '../wire.ts'
import { jsonAnswer, toJson } from './answer.ts'
import { authCollection, invalid, ownViewer, readForm } from './auth-form.ts'
import { requestInfo, type Env } from './request-info.ts'

type Handler = (c: Context<Env>) => Promise<Response>

/** `POST /collections/:collection/auth-with-password` */
export function passwordRoute(core: Core, auth: Auth): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const form = await readForm(c, { identity: 255, password: 255 })
    const { identityField } = c.get('body') ?? {}
    if (identityField !== undefined && identityField !== '' && identityField !== 'email')
      throw invalid({
        identityField: { code: 'validation_in_invalid', message: 'Must be a valid value.' },
      })
    const { identity: email, password } = form
    const request = requestInfo(c, 'password')
    const result = await auth.withPassword(collection, { email, password }, request)
    // Browsers log every 401 as an error, and half of a sign-in is none: theirs is answered with 200.
    if ('mfaId' in result) return jsonAnswer(toJson(result), asksForCookie(c) ? 200 : 401)
    return signInAnswer(core, auth, collection, result, c, 'password')
  }
}

/** `POST /collections/:collection/request-otp` */
export function requestOtpRoute(core: Core, auth: Auth): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const { email } = await readForm(c, { email: 255 })
    if (!isEmail(email)) throw invalid({ email: errors.email })
    return jsonAnswer(toJson({ otpId: await auth.requestOtp(collection, email) }))
  }
}

/** `POST /collections/:collection/auth-with-otp` */
export function otpRoute(core: Core, auth: Auth): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const form = await readForm(c, { otpId: 255, password: 71 })
    const sent = c.req.query('mfaId') || c.get('body')?.['mfaId']
    const mfaId = typeof sent === 'string' && /^\w{1,255}$/.test(sent) ? sent : ''
    const attempt = { otpId: form.otpId, code: form.password, mfaId }
    const result = await auth.withOtp(collection, attempt, requestInfo(c, 'otp'))
    return signInAnswer(core, auth, collection, result, c, 'otp')
  }
}

/** `POST /collections/:collection/auth-refresh` */
export function refreshRoute(core: Core, auth: Auth): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const viewer = ownViewer(c, collection)
    const result = await auth.refresh(collection, viewer, requestInfo(c))
    return signInAnswer(core, auth, collection, result, c, 'default', usesCookie(c.req.raw))
  }
}

/** `GET /collections/:collection/auth-methods` */
export function methodsRoute(core: Core): Handler {
  return async (c) => {
    const { otp, mfa } = authCollection(core, c).auth
    const methods = {
      authProviders: [],
      emailPassword: true,
      mfa: { duration: mfa.life, enabled: mfa.life > 0 },
      oauth2: { enabled: false, providers: [] },
      otp: { duration: otp.life, enabled: true },
      password: { enabled: true, identityFields: ['email'] },
      usernamePassword: false,
    }
    return jsonAnswer(pickJson(toJson(methods), parseFields(c.req.query('fields'))))
  }
}

/**
 * The record and its token. A browser that asks with `X-Session: cookie`, or came with the cookie,
 * gets the token in the cookie alone, where no script can read it.
 */
async function signInAnswer(
  core: Core,
  auth: Auth,
  collection: AuthCollection,
  { viewer, token, life }: SignIn,
  c: Context<Env>,
  context: 'default' | 'password' | 'otp',
  cameByCookie = false,
): Promise<Response> {
  const byCookie = cameByCookie || asksForCookie(c)
  if (byCookie && !isSameOrigin(c.req.raw, auth.appOrigin)) throw new ApiError(403)
  const { expand = '', fields } = c.req.query()
  const request = { ...requestInfo(c, context), viewer }
  const { database, schema } = core
  const shape = { expand, asSelf: true }
  const record = await presentRecord(database, schema, collection, viewer.id, request, shape)
  const json = `{"record":${record},"token":${toJson(byCookie ? '' : token)}}`
  const answer = jsonAnswer(safeJson(pickJson(json, parseFields(fields))))
  if (byCookie) {
    const isSecure = auth.appOrigin.startsWith('https:')
    const cookie = sessionCookie(token, collection, viewer.record, life, isSecure)
    answer.headers.append('Set-Cookie', cookie)
  }
  return answer
}

/** A browser client names how it wants to be remembered. */
function asksForCookie(c: Context<Env>): boolean {
  return c.req.header('x-session') === 'cookie'
}
