import { confirmEmailChange, requestEmailChange } from '../auth/email-change.ts'
import type { Auth } from '../auth/index.ts'
import type { AccountDeps } from '../auth/mail-links.ts'
import { confirmPasswordReset, requestPasswordReset } from '../auth/password-reset.ts'
import { confirmVerification, requestVerification } from '../auth/verification.ts'
import type { Core } from '../write/core.ts'
import { invalidForm } from '../errors.ts'
import { isEmail } from '../schema/email-url.ts'
import { requirePasswords } from '../schema/auth-options.ts'
import { errors } from '../schema/validate.ts'
import { emptyResponse } from './response.ts'
import { authCollection, ownAccount, readFields, readForm } from './auth-form.ts'
import type { Handler } from './request-info.ts'

/** The server's own tokens are shorter. */
const tokenBytes = 4096

/**
 * `POST /collections/:collection/request-verification` and `request-password-reset`. Responds
 * before looking the account up, so that neither the response nor its time reveals whether it
 * exists.
 */
export function requestLinkRoute(
  auth: Auth,
  core: Core,
  kind: 'verification' | 'passwordReset',
): Handler {
  const request = kind === 'verification' ? requestVerification : requestPasswordReset
  return async (c) => {
    const collection = authCollection(core, c)
    if (kind === 'passwordReset') requirePasswords(collection)
    const { email } = await readForm(c, { email: 255 })
    if (!isEmail(email)) throw invalidForm({ email: errors.email })
    const deps = auth.accountsFor(c)
    deps.background(request(deps, collection, email))
    return emptyResponse()
  }
}

/** `POST /collections/:collection/confirm-verification` */
export function confirmVerificationRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const { token } = await readForm(c, { token: tokenBytes })
    await confirmVerification(deps, collection, token)
    return emptyResponse()
  }
}

/** `POST /collections/:collection/confirm-password-reset` */
export function confirmPasswordResetRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    requirePasswords(collection)
    const limits = { token: tokenBytes, password: 1000, passwordConfirm: 1000 }
    const { form, found } = await readFields(c, limits)
    await confirmPasswordReset(deps, collection, form, found)
    return emptyResponse()
  }
}

/** `POST /collections/:collection/request-email-change` */
export function requestEmailChangeRoute(auth: Auth, core: Core): Handler {
  return async (c) => {
    const { collection, viewer } = ownAccount(core, c)
    // The change is confirmed with the password.
    requirePasswords(collection)
    const { newEmail } = await readForm(c, { newEmail: 255 })
    if (!isEmail(newEmail)) throw invalidForm({ newEmail: errors.email })
    requestEmailChange(auth.accountsFor(c), collection, viewer, newEmail)
    return emptyResponse()
  }
}

/** `POST /collections/:collection/confirm-email-change` */
export function confirmEmailChangeRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    requirePasswords(collection)
    const { form, found } = await readFields(c, { token: tokenBytes, password: 100 })
    await confirmEmailChange(deps, collection, { ...form, found }, c.get('network'))
    return emptyResponse()
  }
}
