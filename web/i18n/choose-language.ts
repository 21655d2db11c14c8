import { languageCookieFor, languageParameter } from '#shared/language.ts'

/**
 * Remembers a language in this browser and loads the page again in it.
 *
 * @param language empty forgets what was chosen
 */
export function chooseLanguage(language: string): void {
  document.cookie = languageCookieFor(language)
  const url = new URL(location.href)
  url.searchParams.delete(languageParameter)
  // An address with a fragment would not be loaded again by going to it.
  history.replaceState(history.state, '', url)
  location.reload()
}
