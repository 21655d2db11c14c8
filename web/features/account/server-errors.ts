import { ClientResponseError } from 'pocketbase'
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { fieldMessages } from '#web/api/errors.ts'

const taken = 'There is already an account with this e-mail address.'

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
  const messages = fieldMessages(error)
  // In the form's order: the server's is that of the alphabet.
  const known = fields.flatMap((field) => {
    const message = messages[field]
    return message === undefined ? [] : [{ field, message: sentence(error, field, message) }]
  })
  for (const [place, { field, message }] of known.entries())
    setError(field, { type: 'server', message }, { shouldFocus: place === 0 })
  return known.length > 0 && known.length === Object.keys(messages).length
}

/** The record service speaks of values; a reader at the sign-up form has an account. */
function sentence(error: unknown, field: string, message: string): string {
  return field === 'email' && codeOf(error, field) === 'validation_not_unique' ? taken : message
}

function codeOf(error: unknown, field: string): unknown {
  if (!(error instanceof ClientResponseError)) return undefined
  const fields = error.response['data'] as
    | Record<string, { code?: unknown } | undefined>
    | undefined
  return fields?.[field]?.code
}
