import { mfaSessionExpired, mfaSessionInvalid } from '#shared/sentences/answers.json'
import { errorMessage, isApiError } from '#web/api/errors.ts'
import { t } from '#web/i18n/entry.ts'

const sessionOver = [mfaSessionExpired, mfaSessionInvalid]

/**
 * @returns why a code was refused. Once the first step of the sign-in has expired or was used, even
 *   the right code is refused, so the message says to ask for a new one
 */
export function codeRefusal(error: unknown): string {
  const message = errorMessage(error)
  const isOver = isApiError(error) && sessionOver.includes(error.message)
  return isOver ? t('askForANewCode', { message }) : message
}
