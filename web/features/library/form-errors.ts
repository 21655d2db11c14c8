import type { ZodType } from 'zod'

/** @returns the sentences of what a form's rules refuse, by field; the first of each */
export function formErrors(form: ZodType, values: object): Record<string, string> {
  const { error } = form.safeParse(values)
  const wrong: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) wrong[String(path[0])] ??= message
  return wrong
}
