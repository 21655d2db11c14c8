import { messageLanguages, messagesIn } from '#server/runtime/messages.ts'
import type { Language } from '#shared/language.ts'
import type messages from './messages/en.json'

export type MailMessageKey = keyof typeof messages

/** Languages that mails can be in. */
export const mailLanguages = messageLanguages

/** @returns a message of `messages/` in a language, with its placeholders filled in */
export const mailMessage = messagesIn<MailMessageKey>(new URL('./messages/', import.meta.url))

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
