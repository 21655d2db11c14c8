import catalogue from 'messages/answers'
import rules from 'messages/rules'
import type { RuleKey } from '#shared/rule.ts'
import sentences from '#shared/sentences/answers.json'
import { area } from './area.ts'
import { currentLanguage } from './language.ts'
import type { FieldError, Translator } from './lazy-answers.ts'
import { ruleMessage } from './rules.ts'

type Key = keyof typeof sentences

const { t } = area<Key>(catalogue)
const keys = new Map(Object.entries(sentences).map(([key, sentence]) => [sentence, key as Key]))

/** @returns an answer in the language of the page; as it is if the table doesn't have it */
export function translateAnswer(message: string): string {
  const key = keys.get(message)
  return key ? t(key) : message
}

/** @returns a field's error in the language of the page; as it is if its rule has no translation */
export function translateField({ code, message, params = {} }: FieldError): string {
  const { rule = code, ...rest } = params
  const isKnown = Object.hasOwn(rules[currentLanguage()] ?? {}, rule)
  return isKnown ? ruleMessage({ key: rule as RuleKey, params: rest }) : message
}

export const translator: Translator = { answer: translateAnswer, field: translateField }
