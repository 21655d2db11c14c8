import catalogue from 'messages/import-reasons'
import type { ImportMessage, ImportReason } from '#shared/import.ts'
import { translateAnswer, translateField } from './answers.ts'
import { area } from './area.ts'
import { currentLanguage } from './language.ts'

type Key = ImportReason['key']

const { t } = area<Key>(catalogue)

/**
 * Says why a file or a row was not imported, in the language of the page.
 *
 * @param reason the English sentence, shown where there is no translation
 */
export function importMessage(reason: string, message: ImportMessage | null): string {
  if (!message) return translateAnswer(reason)
  const { key, params = {} } = message
  if (!Object.hasOwn(catalogue[currentLanguage()] ?? {}, key))
    return translateField({ code: key, message: reason, params })
  const { sentence } = params
  return t(key as Key, {
    ...params,
    ...(typeof sentence === 'string' && { sentence: translateAnswer(sentence) }),
  })
}

/** @returns the sentence of a warning, which has no parameters of its own */
export const warningSentence = (key: Key): string => t(key)
