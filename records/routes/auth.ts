import type { Context } from 'hono'
import { isSameOrigin, usesCookie } from '../auth/authenticate.ts'
import { sessionCookie } from '../auth/cookie.ts'
import type { Auth, AuthCollection, SignIn } from '../auth/index.ts'
import type { Core } from '../core.ts'
import { ApiError, type FieldErrors } from '../errors.ts'
import { parseFields, pickJson } from '../pick.ts'
import { presentRecord } from '../read.ts'
import { errors, isEmail } from '../schema/validate.ts'
import { safeJson } from '../wire.ts'
import { jsonAnswer, toJson } from './answer.ts'
import { readBody } from './body.ts'
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
    const result = await auth.withPassword(collection, form.identity, form.password)
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
    const result = await auth.withOtp(collection, attempt)
    return signInAnswer(core, auth, collection, result, c, 'otp')
  }
}

/** `POST /collections/:collection/auth-refresh` */
export function refreshRoute(core: Core, auth: Auth): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const viewer = c.get('viewer')
    if (!viewer) throw new ApiError(401, 'The request requires valid record authorization token.')
    if (viewer.collectionId !== collection.id)
      throw new ApiError(
        403,
        `The request requires auth record from ${viewer.collectionName} collection.`,
      )
    const result = await auth.refresh(collection, viewer)
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

function authCollection(core: Core, c: Context<Env>): AuthCollection {
  const collection = core.schema.find(c.req.param('collection') ?? '')
  if (!collection) throw new ApiError(404, 'Missing or invalid collection context.')
  if (collection.type !== 'auth' || !collection.auth)
    throw new ApiError(404, 'Missing or invalid auth collection context.')
  return { ...collection, auth: collection.auth }
}

/** @param limits longest value of each required field, in bytes */
async function readForm<Name extends string>(
  c: Context<Env>,
  limits: Record<Name, number>,
): Promise<Record<Name, string>> {
  // Before a code is used up: the answer's form must not fail afterwards.
  parseFields(c.req.query('fields'))
  const { data } = await readBody(c.req.raw).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400)
      throw new ApiError(400, 'An error occurred while loading the submitted data.', {}, error)
    throw error
  })
  c.set('body', data)
  const found: FieldErrors = {}
  const form: Record<string, string> = {}
  for (const [name, max] of Object.entries<number>(limits)) {
    const value = data[name]
    // A code of digits arrives as a number from forms that guess.
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    form[name] = text
    if (!text) found[name] = errors.required
    else if (Buffer.byteLength(text) > max)
      found[name] = {
        code: 'validation_length_out_of_range',
        message: `The length must be between 1 and ${max}.`,
        params: { max, min: 1 },
      }
  }
  if (Object.keys(found).length) throw invalid(found)
  return form
}

function invalid(found: FieldErrors): ApiError {
  return new ApiError(400, 'An error occurred while validating the submitted data.', found)
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
