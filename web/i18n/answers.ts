import catalogue from 'messages/answers'
import rules from 'messages/rules'
import { defaultLanguage } from '#shared/language.ts'
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

/**
 * @returns a field's error in the language of the page, which has at least a sentence for all errors
 *   that it doesn't know
 */
export function translateField({ code, message, params = {} }: FieldError): string {
  if (isEnglish()) return message
  const { rule = code, ...rest } = params
  const isKnown = Object.hasOwn(rules[currentLanguage()] ?? {}, rule)
  return ruleMessage(isKnown ? { key: rule as RuleKey, params: rest } : { key: 'unusable' })
}

const isEnglish = () => currentLanguage() === defaultLanguage

export const translator: Translator = {
  answer(message) {
    const isKnown = isEnglish() || keys.has(message)
    return isKnown ? translateAnswer(message) : t('requestFailed')
  },
  field: translateField,
}
