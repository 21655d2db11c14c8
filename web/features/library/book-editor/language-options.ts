import { languageName, namedLanguages } from '#shared/book.ts'
import { currentLanguage } from '#web/i18n/language.ts'

/**
 * @param chosen is there in any case; '' for none
 * @returns the languages of books, by name
 */
export function languageOptions(chosen: string): { value: string; label: string }[] {
  const codes = new Set([...namedLanguages, ...(chosen ? [chosen] : [])])
  const locale = currentLanguage()
  return [...codes]
    .map((value) => ({ value, label: languageName(value, locale) || value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
}
