import type * as z from 'zod'
import type programRules from './program-rules.json'
import type rules from './sentences/rules.json'

/** The key of a rule's sentence. No screen can break the rules of the second table. */
export type RuleKey = keyof typeof rules | keyof typeof programRules

/** Values for a sentence's placeholders. `name` is a field; its own name has the key `name.<field>`. */
export type RuleParams = Readonly<Record<string, string | number>>

/** Why a rule refuses a value. */
export interface Refusal {
  key: RuleKey
  params?: RuleParams
}

/** The message of a check, from which {@link refusalOf} reads the rule. */
export const rule = (key: RuleKey): RuleKey => key

/** The same for a check in code, which has to name what fills in the placeholders. */
export const refusal = (key: RuleKey, params: RuleParams = {}) => ({ message: key, params })

/**
 * @param field the name of a value that was checked by itself
 * @returns why a schema refuses a value. A check without a rule of ours has zod's sentence as its key.
 */
export function refusalOf(issue: z.core.$ZodIssue, field?: string): Required<Refusal> {
  const name = issue.path.findLast((step) => typeof step === 'string') ?? field
  return {
    key: issue.message as RuleKey,
    params: {
      ...(name !== undefined && { name }),
      ...(issue.code === 'too_small' && { min: Number(issue.minimum) }),
      ...(issue.code === 'too_big' && { max: Number(issue.maximum) }),
      ...(issue.code === 'invalid_value' && { values: issue.values.join(', ') }),
      ...(issue.code === 'custom' && paramsOf(issue.params)),
    },
  }
}

/** What isn't a text or a number is for the server, such as `notFound` of an ISBN. */
function paramsOf(given: Record<string, unknown> = {}): RuleParams {
  const filling = Object.entries(given).filter((entry): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]),
  )
  return Object.fromEntries(filling)
}
