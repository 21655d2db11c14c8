import { useLocation } from 'react-router'
import { languageParameter } from '#shared/language.ts'
import { currentLanguage, supportedLanguages } from './language.ts'

const inLanguage = (url: string, language: string) => `${url}?${languageParameter}=${language}`

/**
 * A page's own address and its addresses in every language, for search engines; React moves them
 * into the head.
 *
 * @param props.url the page's address in whatever language its reader has
 */
export function PageAddress({ url }: { url: string }) {
  const { search } = useLocation()
  const named = inLanguage('', currentLanguage())
  return (
    <>
      {/* A page that named another as its own would not be listed in its language. */}
      <link rel="canonical" href={search === named ? url + named : url} />
      {/* Search engines read what the server sends, and no browser has to load this. */}
      {import.meta.env.SSR && supportedLanguages.length > 1 ? (
        <>
          <link rel="alternate" hrefLang="x-default" href={url} />
          {supportedLanguages.map((language) => (
            <link
              key={language}
              rel="alternate"
              hrefLang={language}
              href={inLanguage(url, language)}
            />
          ))}
        </>
      ) : null}
    </>
  )
}
