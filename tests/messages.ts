import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'

const folder = join(import.meta.dirname, '../web/i18n/messages')

/** @returns the messages of an area of the screens in a language, by key and with placeholders */
export function messagesOf(language: string, area: string) {
  const path = join(folder, language, `${area}.json`)
  const messages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  return (key: string, values: Record<string, string | number> = {}): string =>
    String(new IntlMessageFormat(messages[key] ?? key, language).format(values))
}
