import catalogue from 'messages/rules'
import type * as z from 'zod'
import { defaultLanguage } from '#shared/language.ts'
import { refusalOf, type Refusal } from '#shared/rule.ts'
import type rules from '#shared/sentences/rules.json'
import { area } from './area.ts'
import { currentLanguage } from './language.ts'

type Key = keyof typeof rules

const { t } = area<Key>(catalogue)

/** @returns why a rule refuses a value, in the language of the page */
export function ruleMessage({ key, params = {} }: Refusal): string {
  const { name } = params
  // English says numbers as the wire does.
  const isWire = currentLanguage() === defaultLanguage
  const values = isWire
    ? Object.fromEntries(Object.entries(params).map(([each, value]) => [each, String(value)]))
    : params
  return t(key as Key, { ...values, ...(name && { name: t(`name.${name}` as Key) }) })
}

/** The same for an error of a schema; `field` names a value that was checked by itself. */
export const issueMessage = (issue: z.core.$ZodIssue, field?: string): string =>
  ruleMessage(refusalOf(issue, field))
