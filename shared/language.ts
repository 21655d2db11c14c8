/**
 * The languages of Octavo, by BCP 47 tag. Readers can choose those that are complete: they have every
 * message of `web/i18n/messages/en`, or the tests fail, and their screens have been looked at.
 */
export const languages = {
  en: { direction: 'ltr', isComplete: true },
  de: { direction: 'ltr', isComplete: true },
  fr: { direction: 'ltr', isComplete: true },
  es: { direction: 'ltr', isComplete: true },
  'pt-BR': { direction: 'ltr', isComplete: true },
  ja: { direction: 'ltr', isComplete: true },
  ar: { direction: 'rtl', isComplete: true },
} as const satisfies Record<string, { direction: 'ltr' | 'rtl'; isComplete: boolean }>

/** The cookie with a visitor's choice. */
export const languageCookie = 'language'

const yearInSeconds = 365 * 24 * 3600

/**
 * @param language empty forgets the choice
 * @returns the cookie that remembers a language in a browser, as `document.cookie` and `Set-Cookie` take it
 */
export function languageCookieFor(language: string): string {
  const life = language ? yearInSeconds : 0
  return `${languageCookie}=${language}; Path=/; Max-Age=${life}; SameSite=Lax`
}

/** The URL parameter for links to a page in a given language. */
export const languageParameter = 'lang'

export type Language = keyof typeof languages

export const defaultLanguage = 'en' satisfies Language

/** @returns whether it is one of our languages */
export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(languages, tag)
}

/** @returns the language's writing direction */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return languages[language].direction
}

/**
 * Chooses the browser's preferred language among ours (RFC 9110, section 12.5.4). A tag matches by
 * its first part: `de-AT` gets `de`, `pt` gets `pt-BR`.
 *
 * @param acceptLanguage the header, possibly empty
 * @param known the tags to choose from; if none matches, the default language is used
 */
export function preferredLanguage<T extends string = Language>(
  acceptLanguage: string,
  known = Object.keys(languages) as T[],
): T | typeof defaultLanguage {
  for (const tag of acceptedLanguages(acceptLanguage)) {
    const match = known.find((one) => primary(one) === primary(tag))
    if (match) return match
  }
  return defaultLanguage
}

/** @returns the tags of an `Accept-Language` header, best first (RFC 9110, section 12.5.4) */
export function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim())
      const quality = parameters.find((one) => one.startsWith('q='))
      return { tag, quality: quality ? Number(quality.slice(2)) : 1 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/** @returns "Deutsch" for `de`: the name of a language in itself, for lists of languages */
export function languageName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' })
  const [first = '', ...rest] = name.of(language) ?? language
  return first.toLocaleUpperCase(language) + rest.join('')
}

const primary = (tag: string) => tag.split('-')[0]!.toLowerCase()
