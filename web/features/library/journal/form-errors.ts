import type { ZodType } from 'zod'
import { issueMessage } from '#web/i18n/rules.ts'

/** @returns the sentences of what a form's rules refuse, by field; the first of each */
export function formErrors(form: ZodType, values: object): Record<string, string> {
  const { error } = form.safeParse(values)
  const wrong: Record<string, string> = {}
  for (const issue of error?.issues ?? []) wrong[String(issue.path[0])] ??= issueMessage(issue)
  return wrong
}
