import { mfaSessionExpired, mfaSessionInvalid } from '#shared/sentences/answers.json'
import { errorMessage, isApiError } from '#web/api/errors.ts'
import { t } from '#web/i18n/entry.ts'

const sessionOver = [mfaSessionExpired, mfaSessionInvalid]

/**
 * @returns why a code was refused. A half-done sign-in that is used up or too old takes no code any
 *   more, also not the right one
 */
export function codeRefusal(error: unknown): string {
  const message = errorMessage(error)
  const isOver = isApiError(error) && sessionOver.includes(error.message)
  return isOver ? t('askForANewCode', { message }) : message
}
