import supported from 'messages:languages'
import { defaultLanguage, directionOf, isLanguage, type Language } from '#shared/language.ts'

/** The languages a reader can choose: the complete ones. */
export const supportedLanguages: readonly Language[] = supported

/** @returns whether a reader can choose it */
export function isSupportedLanguage(tag: unknown): tag is Language {
  return isLanguage(tag) && supportedLanguages.includes(tag)
}

let languageOfRequest: () => Language = () => defaultLanguage

/** Tells the server's screens how to find the language of the request that they are rendered for. */
export function setLanguageOfRequest(find: () => Language): void {
  languageOfRequest = find
}

/**
 * @returns the language of this page. A browser has one for as long as the page lives: choosing
 *   another loads the page again, and what a browser translates stays a page of this language.
 */
export function currentLanguage(): Language {
  if (import.meta.env.SSR) return languageOfRequest()
  // Written by the server, so that a browser need not load the list of languages. A translation
  // changes `lang`.
  return document.documentElement.dataset['language'] as Language
}

/** @returns the direction in which this page is written */
export function currentDirection(): 'ltr' | 'rtl' {
  if (import.meta.env.SSR) return directionOf(currentLanguage())
  return document.documentElement.dir as 'ltr' | 'rtl'
}
