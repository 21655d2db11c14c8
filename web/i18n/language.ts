import { defaultLanguage, isLanguage, type Language } from '#shared/language.ts'

let languageOfRequest: () => Language = () => defaultLanguage

/** Tells the server's screens how to find the language of the request that they are rendered for. */
export function setLanguageOfRequest(find: () => Language): void {
  languageOfRequest = find
}

/**
 * @returns the language of this page. A browser has one for as long as the page lives: choosing
 *   another loads the page again.
 */
export function currentLanguage(): Language {
  if (import.meta.env.SSR) return languageOfRequest()
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : defaultLanguage
}
