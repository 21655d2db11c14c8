import { IntlMessageFormat } from 'intl-messageformat'
import { readFileSync } from 'node:fs'
import { isolated } from '#shared/direction.ts'
import { directionOf, languages, type Language } from '#shared/language.ts'

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
  return (language, key, values = {}) => {
    const message = catalogueOf(language)[key]
    // Titles and names of the other direction stand apart; what a message selects by isn't printed.
    const apart = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !message.includes(`{${name}, select`)
        ? isolated(value, directionOf(language))
        : value,
    ])
    const printed = Object.fromEntries(apart) as Record<string, string | number>
    return String(new IntlMessageFormat(message, language).format(printed))
  }
}
