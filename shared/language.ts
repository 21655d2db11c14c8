/** The languages Octavo speaks, by BCP 47 tag, each named in itself. */
export const languages = {
  en: 'English',
} as const

/** Keeps what a visitor chose. */
export const languageCookie = 'language'
/** In an address, for links to a page in a certain language. */
export const languageParameter = 'lang'

export type Language = keyof typeof languages

export const defaultLanguage = 'en' satisfies Language

/** @returns whether Octavo speaks it */
export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(languages, tag)
}

const rightToLeft: readonly string[] = ['ar']

/** @returns the direction in which a language is written */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return rightToLeft.includes(language) ? 'rtl' : 'ltr'
}

/**
 * Chooses among our languages as a browser asks (RFC 9110, section 12.5.4). A tag matches by its
 * first part: `de-AT` gets `de`, `pt` gets `pt-BR`.
 *
 * @param acceptLanguage the header, possibly empty
 * @param known the tags to choose among; the default language stands in where none matches
 */
export function preferredLanguage<T extends string = Language>(
  acceptLanguage: string,
  known = Object.keys(languages) as T[],
): T | typeof defaultLanguage {
  const asked = acceptLanguage
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.find((one) => one.trim().startsWith('q='))
      return { tag: tag.trim(), quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of asked) {
    const match = known.find((one) => primary(one) === primary(tag))
    if (match) return match
  }
  return defaultLanguage
}

const primary = (tag: string) => tag.split('-')[0]!.toLowerCase()
