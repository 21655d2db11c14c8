import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { fieldMessages, isApiError } from '#web/api/errors.ts'
import { t } from '#web/i18n/entry.ts'

/** The record service speaks of values and lists; a reader has an account. By field and code. */
function sentenceOf(fieldAndCode: string): string | undefined {
  if (fieldAndCode === 'email validation_not_unique') return t('emailIsTaken')
  if (fieldAndCode === 'newEmail validation_not_in_invalid') return t('emailIsYours')
  if (fieldAndCode === 'oldPassword validation_invalid_old_password') return t('wrongPassword')
  return undefined
}

/** @returns what the server says about single fields of an account, by field */
export function accountFieldMessages(error: unknown): Record<string, string> {
  const messages = Object.entries(fieldMessages(error)).map(([field, message]) => [
    field,
    sentenceOf(`${field} ${codeOf(error, field)}`) ?? message,
  ])
  return Object.fromEntries(messages) as Record<string, string>
}

/**
 * Puts what the server says about single fields to the fields the form has; the first of them is
 * focused.
 *
 * @returns whether everything it said has found its place
 */
export function showFieldErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly Path<Form>[],
  setError: UseFormSetError<Form>,
): boolean {
  const messages = accountFieldMessages(error)
  // In the form's order: the server's is that of the alphabet.
  const known = fields.filter((field) => messages[field] !== undefined)
  for (const [place, field] of known.entries())
    setError(field, { type: 'server', message: messages[field]! }, { shouldFocus: place === 0 })
  return known.length > 0 && known.length === Object.keys(messages).length
}

function codeOf(error: unknown, field: string): string {
  if (!isApiError(error)) return ''
  const fields = error.response['data'] as
    | Record<string, { code?: unknown } | undefined>
    | undefined
  return String(fields?.[field]?.code)
}
