import type { Context } from 'hono'
import { ApiError, hasFields, invalidForm } from '../errors.ts'
import { passwordAttempts } from '../limits/attempts.ts'
import { isEmail } from '../schema/email-url.ts'
import { identityFields, requirePasswords } from '../schema/auth-options.ts'
import type { AuthCollection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import { jsonResponse, pickedResponse, toJson } from './response.ts'
import {
  wantsCookie,
  refuseForeignCookie,
  signInResponse,
  trustOf,
  type AuthRouteDeps,
} from './auth-response.ts'
import { authCollection, ownAccount, readFields, readForm } from './auth-form.ts'
import { requestInfo, type Env, type Handler } from './request-info.ts'

/** `POST /collections/:collection/auth-with-password` */
export function passwordRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    refuseForeignCookie(deps.auth, c)
    const collection = authCollection(deps.core, c)
    requirePasswords(collection, 403)
    const { form, found } = await readFields(c, { identity: 255, password: 255 })
    const { identityField: by = '' } = c.get('body') ?? {}
    const isKnown = by === '' || identityFields(collection).some((name) => name === by)
    if (!isKnown)
      found['identityField'] = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
    if (hasFields(found)) throw invalidForm(found)
    const attempt = { ...form, by: String(by), mfaId: mfaIdOf(c) }
    const request = requestInfo(c, 'password')
    const attempts = passwordAttempts(c.get('network'), form.identity)
    const result = await deps.core.limits.attempt(attempts, () =>
      deps.auth.withPassword(collection, attempt, request, trustOf(c)),
    )
    // Browsers log every 401 as an error, which a half-done sign-in isn't, so they get 200.
    if ('mfaId' in result) return jsonResponse(toJson(result), wantsCookie(c) ? 200 : 401)
    return signInResponse(deps, collection, result, c, { context: 'password' })
  }
}

/** `POST /collections/:collection/request-otp` */
export function requestOtpRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    refuseWithoutCodes(collection)
    const { email } = await readForm(c, { email: 255 })
    if (!isEmail(email)) throw invalidForm({ email: errors.email })
    const otpId = await deps.auth.requestOtp(collection, email, mfaIdOf(c))
    return pickedResponse(c, toJson({ otpId }))
  }
}

/** `POST /collections/:collection/auth-with-otp` */
export function otpRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    refuseForeignCookie(deps.auth, c)
    const collection = authCollection(deps.core, c)
    refuseWithoutCodes(collection)
    const form = await readForm(c, { otpId: 255, password: 71 })
    const attempt = { otpId: form.otpId, code: form.password, mfaId: mfaIdOf(c) }
    const request = requestInfo(c, 'otp')
    const result = await deps.auth.withOtp(
      collection,
      attempt,
      request,
      trustOf(c),
      deps.auth.accountsFor(c),
    )
    return signInResponse(deps, collection, result, c, { context: 'otp' })
  }
}

/** @throws ApiError 403 if the collection mails no codes */
function refuseWithoutCodes({ auth }: AuthCollection): void {
  if (auth.otp.life <= 0)
    throw new ApiError(403, 'The collection is not configured to allow OTP authentication.')
}

/** The half-done sign-in named in the query or, once it is read, in the body; '' for none. */
export function mfaIdOf(c: Context<Env>): string {
  const sent = c.req.query('mfaId') || c.get('body')?.['mfaId']
  return typeof sent === 'string' && /^\w{1,255}$/.test(sent) ? sent : ''
}

/** `POST /collections/:collection/auth-refresh` */
export function refreshRoute(deps: AuthRouteDeps): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(deps.core, c)
    const result = await deps.auth.refresh(collection, viewer, requestInfo(c))
    return signInResponse(deps, collection, result, c, { context: 'default' })
  }
}

/** `GET /collections/:collection/auth-methods` */
export function methodsRoute({ core, auth }: AuthRouteDeps): Handler {
  return async (c) => {
    const collection = authCollection(core, c)
    const { otp, mfa, passwords = true } = collection.auth
    const identities = passwords ? identityFields(collection) : []
    const providers = await auth.oauth2.providers(collection)
    const methods = {
      authProviders: providers,
      emailPassword: identities.includes('email'),
      mfa: { duration: mfa.life, enabled: mfa.life > 0 },
      oauth2: { enabled: auth.oauth2.isEnabled(collection), providers },
      otp: { duration: otp.life, enabled: otp.life > 0 },
      password: { enabled: passwords, identityFields: identities },
      usernamePassword: identities.includes('username'),
    }
    return pickedResponse(c, toJson(methods))
  }
}
