import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { isolated } from '#shared/direction.ts'
import { directionOf, type Language } from '#shared/language.ts'

const folder = join(import.meta.dirname, '../web/i18n/messages')

/** @returns the messages of an area of the screens in a language, by key and with placeholders */
export function messagesOf(language: string, area: string) {
  const path = join(folder, language, `${area}.json`)
  const messages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  return (key: string, values: Record<string, string | number> = {}): string => {
    const message = messages[key] ?? key
    // As the screens set titles apart.
    const apart = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !message.includes(`{${name}, select`)
        ? isolated(value, directionOf(language as Language))
        : value,
    ])
    const printed = Object.fromEntries(apart) as Record<string, string | number>
    return String(new IntlMessageFormat(message, language).format(printed))
  }
}
