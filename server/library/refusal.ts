import type * as z from 'zod'
import { ApiError, type Change, type FieldErrors } from '#records/index.ts'

/** Sentences at their fields: what the reader did, and the wire's code for it. */
export type Wrong = Record<string, { code: string; message: string }>

/**
 * Adds a schema's complaints to those there are, the first of each field.
 *
 * @returns the values as the schema leaves them (trimmed, defaults filled in), or undefined
 */
export function check<T>(schema: z.ZodType<T>, values: unknown, wrong: Wrong): T | undefined {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    wrong[String(path[0])] ??= { code: 'validation_invalid_value', message }
  }
  return undefined
}

/** @throws ApiError 400 when anything is wrong */
export function refuse(action: Change['action'], wrong: Wrong): void {
  if (Object.keys(wrong).length === 0) return
  throw new ApiError(400, `Failed to ${action} record.`, wrong satisfies FieldErrors)
}
