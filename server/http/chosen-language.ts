import { parse } from 'hono/utils/cookie'
import { isLanguage, languageCookie, type Language } from '#shared/language.ts'

/** @returns the language that a visitor chose in the footer; undefined for none */
export function chosenLanguage({ headers }: Pick<Request, 'headers'>): Language | undefined {
  const tag = parse(headers.get('cookie') ?? '', languageCookie)[languageCookie]
  return isLanguage(tag) ? tag : undefined
}
