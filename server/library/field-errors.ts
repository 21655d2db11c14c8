import type * as z from 'zod'
import { ApiError, type Change, type FieldErrors } from '#records/index.ts'

/** Errors by field: a message for the reader and the wire's code. */
export type FieldProblems = Record<string, { code: string; message: string }>

/**
 * Adds the first schema error of each field to the errors already found.
 *
 * @returns the parsed values (trimmed, defaults filled in), or undefined if any is invalid
 */
export function checkSchema<T>(
  schema: z.ZodType<T>,
  values: unknown,
  wrong: FieldProblems,
): T | undefined {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    wrong[String(path[0])] ??= { code: 'validation_invalid_value', message }
  }
  return undefined
}

/** @throws ApiError 400 if there are errors */
export function throwFieldErrors(action: Change['action'], wrong: FieldProblems): void {
  if (Object.keys(wrong).length === 0) return
  throw new ApiError(400, `Failed to ${action} record.`, wrong satisfies FieldErrors)
}
