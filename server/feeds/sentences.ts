import { messageLanguages, messagesIn } from '#server/runtime/messages.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'
import {
  isLanguage,
  languageParameter,
  preferredLanguage,
  type Language,
} from '#shared/language.ts'
import type messages from './messages/en.json'

export type FeedKey = keyof typeof messages

/** A sentence of `messages/` in the language of a request. */
export type Translate = (key: FeedKey, values?: Record<string, string | number>) => string

/** @returns a sentence of `messages/` in a language, with its placeholders filled in */
export const feedMessage = messagesIn<FeedKey>(new URL('./messages/', import.meta.url))

/** @returns the language that the address names, that was chosen, or that the browser prefers */
export function feedLanguage(request: Request): Language {
  const named = new URL(request.url).searchParams.get(languageParameter) ?? undefined
  if (isLanguage(named)) return named
  const accepted = request.headers.get('accept-language') ?? ''
  return chosenLanguage(request) ?? preferredLanguage(accepted, messageLanguages)
}
