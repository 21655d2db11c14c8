import type * as z from 'zod'
import { ApiError, failedTo, type Change, type FieldError } from '#records/index.ts'
import { issueError } from '#server/http/field-error.ts'

/** The wire's errors by field. */
export type FieldProblems = Record<string, FieldError>

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
  for (const issue of parsed.error.issues) wrong[String(issue.path[0])] ??= issueError(issue)
  return undefined
}

/** @throws ApiError 400 if there are errors */
export function throwFieldErrors(action: Change['action'], wrong: FieldProblems): void {
  if (Object.keys(wrong).length === 0) return
  throw new ApiError(400, failedTo[action], wrong)
}
