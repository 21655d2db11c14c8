import { confirmEmailChange, requestEmailChange } from '../auth/email-change.ts'
import type { AccountDeps } from '../auth/mail-links.ts'
import { confirmPasswordReset, requestPasswordReset } from '../auth/password-reset.ts'
import { confirmVerification, requestVerification } from '../auth/verification.ts'
import { invalidForm } from '../errors.ts'
import { isEmail } from '../schema/addresses.ts'
import { errors } from '../schema/validate.ts'
import { emptyAnswer } from './answer.ts'
import { authCollection, ownViewer, readForm } from './auth-form.ts'
import type { Handler } from './request-info.ts'

/** Longer tokens are none of ours. */
const tokenBytes = 4096

/**
 * `POST /collections/:collection/request-verification` and `request-password-reset`. The answer
 * comes before anything is looked up, so that neither it nor its time tells who has an account.
 */
export function requestLinkRoute(
  deps: AccountDeps,
  kind: 'verification' | 'passwordReset',
): Handler {
  const request = kind === 'verification' ? requestVerification : requestPasswordReset
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const { email } = await readForm(c, { email: 255 })
    if (!isEmail(email)) throw invalidForm({ email: errors.email })
    deps.background(request(deps, collection, email))
    return emptyAnswer()
  }
}

/** `POST /collections/:collection/confirm-verification` */
export function confirmVerificationRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const { token } = await readForm(c, { token: tokenBytes })
    await confirmVerification(deps, collection, token)
    return emptyAnswer()
  }
}

/** `POST /collections/:collection/confirm-password-reset` */
export function confirmPasswordResetRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const form = await readForm(c, { token: tokenBytes, password: 1000, passwordConfirm: 1000 })
    await confirmPasswordReset(deps, collection, form)
    return emptyAnswer()
  }
}

/** `POST /collections/:collection/request-email-change` */
export function requestEmailChangeRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const viewer = ownViewer(c, collection)
    const { newEmail } = await readForm(c, { newEmail: 255 })
    if (!isEmail(newEmail)) throw invalidForm({ newEmail: errors.email })
    requestEmailChange(deps, collection, viewer, newEmail)
    return emptyAnswer()
  }
}

/** `POST /collections/:collection/confirm-email-change` */
export function confirmEmailChangeRoute(deps: AccountDeps): Handler {
  return async (c) => {
    const collection = authCollection(deps.core, c)
    const form = await readForm(c, { token: tokenBytes, password: 100 })
    await confirmEmailChange(deps, collection, form, c.get('network'))
    return emptyAnswer()
  }
}
