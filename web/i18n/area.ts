import { IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import { isolated } from '#shared/direction.ts'
import { defaultLanguage, type Language } from '#shared/language.ts'
import { formatNumber } from './format.ts'
import { currentDirection, currentLanguage } from './language.ts'

/** A message of plain text, or the parsed form of one in ICU's syntax. */
type CompiledMessage = string | ConstructorParameters<typeof IntlMessageFormat>[0]

/** An area's messages by language: in the browser only those of the page's language. */
export type Catalogue = Partial<Record<Language, Record<string, CompiledMessage>>>

type Plain = string | number | Date
/** A placeholder's value; a function wraps the text between a message's `<name>` tags. */
type Rich = ReactNode | Date | ((text: ReactNode) => ReactNode)

/**
 * Adds what is printed as it is, whose placeholders end in `#` (vite.messages.ts): "1,234" of 1234, and
 * titles and names of the other direction apart from the sentence.
 */
function withTexts(values: Record<string, unknown>): Record<string, unknown> {
  const all = { ...values }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number') all[`${name}#`] = formatNumber(value)
    else if (typeof value === 'string') all[`${name}#`] = isolated(value, currentDirection())
    else all[`${name}#`] = value
  }
  return all
}

/**
 * The messages of one area of the screens.
 *
 * @param catalogue as `messages/<area>` exports it
 */
export function area<Key extends string>(catalogue: Catalogue) {
  const formats = new Map<string, IntlMessageFormat>()

  function format(key: Key, values: Record<string, unknown>): unknown {
    const language = currentLanguage()
    const message = catalogue[language]?.[key] ?? catalogue[defaultLanguage]?.[key] ?? key
    if (typeof message === 'string') return message
    const name = `${language} ${key}`
    let known = formats.get(name)
    if (!known) formats.set(name, (known = new IntlMessageFormat(message, language)))
    return known.format(withTexts(values))
  }

  /** @returns a message in the page's language, with its placeholders filled in */
  const t = (key: Key, values: Record<string, Plain> = {}): string => String(format(key, values))

  /** The same, with elements for placeholders and functions for tags. */
  const rich = (key: Key, values: Record<string, Rich>): ReactNode => {
    const parts = format(key, values)
    return Array.isArray(parts)
      ? createElement(Fragment, null, ...(parts as ReactNode[]))
      : (parts as ReactNode)
  }

  return { t, rich }
}
