import { acceptedLanguages } from '#shared/language.ts'
import { cleanLanguage } from './sources/clean.ts'

/**
 * @param accepted an `Accept-Language` header such as "fr-CH, fr;q=0.9, en;q=0.8"
 * @returns the MARC code of the language a browser likes best, such as "fre"; empty when none is
 *   named or it has no code we know
 */
export function preferredMarcLanguage(accepted: string): string {
  const code = cleanLanguage(acceptedLanguages(accepted).find((tag) => tag !== '*') ?? '')
  return code.length === 3 ? code : ''
}
