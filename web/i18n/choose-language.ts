import { languageCookie, languageParameter } from '#shared/language.ts'

const year = 365 * 24 * 3600

/**
 * Remembers a language in this browser and loads the page again in it.
 *
 * @param language empty forgets what was chosen
 */
export function chooseLanguage(language: string): void {
  const life = language ? year : 0
  document.cookie = `${languageCookie}=${language}; Path=/; Max-Age=${life}; SameSite=Lax`
  const url = new URL(location.href)
  url.searchParams.delete(languageParameter)
  // An address with a fragment would not be loaded again by going to it.
  history.replaceState(history.state, '', url)
  location.reload()
}
