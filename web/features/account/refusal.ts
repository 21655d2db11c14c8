import { useState } from 'react'
import type { FieldErrors, FieldValues } from 'react-hook-form'
import type { Refusal } from '#web/api/act.ts'
import { ScreenError } from '#web/api/errors.ts'

/** @returns the errors that a form begins with where it was refused without scripts */
export function useErrorsOf<Form extends FieldValues>({ wrong = {} }: Refusal): FieldErrors<Form> {
  // The form takes another object for news.
  const [errors] = useState(() =>
    Object.fromEntries(
      Object.entries(wrong).map(([field, message]) => [field, { type: 'server', message }]),
    ),
  )
  return errors as FieldErrors<Form>
}

/** @returns what belongs to no field */
export const refusalError = ({ message }: Refusal): ScreenError | null =>
  message === undefined ? null : new ScreenError(message)
