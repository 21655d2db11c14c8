import type * as z from 'zod'
import type { FieldError } from '#records/index.ts'
import { ruleInEnglish } from '#shared/english.ts'
import { refusalOf, type RuleKey, type RuleParams } from '#shared/rule.ts'

/**
 * The wire's error of a field that breaks a rule of `shared`: the sentence in English, and in `params`
 * the rule with what fills in its placeholders, for clients in other languages.
 *
 * @param code the record service's, where it has one for this kind of error
 */
export function fieldError(
  rule: RuleKey,
  params: RuleParams = {},
  code = 'validation_invalid_value',
): FieldError {
  return {
    code,
    message: ruleInEnglish({ key: rule, params }) ?? rule,
    params: { rule, ...params },
  }
}

/** The same for an error of a schema. */
export function issueError(issue: z.core.$ZodIssue): FieldError {
  const { key, params } = refusalOf(issue)
  if (ruleInEnglish({ key, params }) !== undefined) return fieldError(key, params)
  return { code: 'validation_invalid_value', message: issue.message }
}
