import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { ZodType } from 'zod'
import { issueMessage } from '#web/i18n/rules.ts'

/** Checks a form by a schema; its errors are in the language of the page. */
export function formResolver<Input extends FieldValues, Output>(
  schema: ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return (values, _, options) => {
    const { data, error } = schema.safeParse(values)
    if (!error) return { values: data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of error.issues)
      errors[issue.path.join('.')] ??= { type: issue.code, message: issueMessage(issue) }
    return {
      values: {},
      errors: toNestErrors(errors as FieldErrors, options),
    }
  }
}
