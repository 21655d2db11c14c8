/**
 * The sentences of the wire, which is English. Browsers load those of a page's language instead, so
 * only the server imports this.
 */
import importReasons from './sentences/import-reasons.json' with { type: 'json' }
import programRules from './program-rules.json' with { type: 'json' }
import rules from './sentences/rules.json' with { type: 'json' }
import type { ImportReason } from './import.ts'
import type { Refusal, RuleParams } from './rule.ts'

const ruleSentences: Readonly<Record<string, string>> = { ...rules, ...programRules }

/** @returns a rule's sentence; undefined if the key isn't a rule's */
export function ruleInEnglish({ key, params = {} }: Refusal): string | undefined {
  if (!Object.hasOwn(ruleSentences, key)) return undefined
  const { name = '' } = params
  return fillIn(ruleSentences[key]!, { ...params, name: ruleSentences[`name.${name}`] ?? name })
}

/** @returns the sentence of the reason why a file or a row wasn't imported */
export const reasonInEnglish = ({ key, params = {} }: ImportReason): string =>
  fillIn(importReasons[key], params)

/** Fills in `{name}`, and `{max, number}` with separators of thousands. */
function fillIn(sentence: string, params: RuleParams): string {
  return sentence.replaceAll(/\{(\w+)(, number)?\}/g, (_, name: string, isGrouped?: string) =>
    isGrouped ? Number(params[name]).toLocaleString('en') : String(params[name]),
  )
}
