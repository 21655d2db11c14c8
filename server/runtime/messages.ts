import { IntlMessageFormat } from 'intl-messageformat'
import { readFileSync } from 'node:fs'
import { languages, type Language } from '#shared/language.ts'

/** Languages that the server speaks. */
export const messageLanguages = Object.keys(languages).filter(
  (tag) => languages[tag as Language].isComplete,
) as Language[]

/** Fills in a message's placeholders. */
export type Messages<Key extends string> = (
  language: Language,
  key: Key,
  values?: Record<string, string | number>,
) => string

/**
 * Reads messages when they are first needed.
 *
 * @param folder with a JSON file for each language
 */
export function messagesIn<Key extends string>(folder: URL): Messages<Key> {
  const catalogues = new Map<Language, Record<Key, string>>()
  const catalogueOf = (language: Language) =>
    catalogues.getOrInsertComputed(
      language,
      () =>
        JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Record<
          Key,
          string
        >,
    )
  return (language, key, values = {}) =>
    String(new IntlMessageFormat(catalogueOf(language)[key], language).format(values))
}
