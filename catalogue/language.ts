import { acceptedLanguages } from '#shared/language.ts'
import { cleanLanguage } from './sources/clean.ts'

/**
 * @param accepted an `Accept-Language` header such as "fr-CH, fr;q=0.9, en;q=0.8"
 * @returns the MARC code of the preferred language, such as "fre"; empty if none is named or its
 *   code is unknown
 */
export function preferredMarcLanguage(accepted: string): string {
  const code = cleanLanguage(acceptedLanguages(accepted).find((tag) => tag !== '*') ?? '')
  return code.length === 3 ? code : ''
}
