import { IntlMessageFormat } from 'intl-messageformat'
import { readFileSync } from 'node:fs'
import { languages, type Language } from '#shared/language.ts'
import type messages from './messages/en.json'

export type MailMessageKey = keyof typeof messages

const catalogues = new Map<Language, Record<MailMessageKey, string>>()

function catalogueOf(language: Language): Record<MailMessageKey, string> {
  return catalogues.getOrInsertComputed(language, () => {
    const file = new URL(`./messages/${language}.json`, import.meta.url)
    return JSON.parse(readFileSync(file, 'utf8')) as Record<MailMessageKey, string>
  })
}

/** Languages that mails can be in. */
export const mailLanguages = Object.keys(languages).filter(
  (tag) => languages[tag as Language].isComplete,
) as Language[]

/** @returns a message of `messages/` in a language, with its placeholders filled in */
export function mailMessage(
  language: Language,
  key: MailMessageKey,
  values: Record<string, string | number> = {},
): string {
  return String(new IntlMessageFormat(catalogueOf(language)[key], language).format(values))
}

/** @returns a time as mails state it, such as "March 14, 2026 at 02:00 UTC" */
export function formatMailTime(language: Language, time: Date): string {
  return time.toLocaleString(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
}
