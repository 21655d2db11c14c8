import { useQuery } from '@tanstack/react-query'
import { sourceNames, type Book } from '#shared/book.ts'
import { parseCoverLink } from '#shared/cover.ts'
import { sourcesQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { t } from '#web/i18n/catalogue.ts'

const linkClass = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-ink'

/** Links to the book in other catalogues; the sources of this entry are named as such. */
export function BookSources({ book }: { book: Book }) {
  const { data: sources = [] } = useQuery(sourcesQuery(useApi(), book))
  if (sources.length === 0) return null
  const { ids } = book
  const isFrom = Boolean(ids.google ?? ids.openlibrary)
  const shown = isFrom ? sources.filter(({ name }) => ids[name]) : sources
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
      <span>{isFrom ? t('sources') : t('seeAlso')}</span>
      {shown.map(({ name, link }) => (
        <a key={name} href={link} target="_blank" rel="noopener noreferrer" className={linkClass}>
          {sourceNames[name]}
        </a>
      ))}
    </p>
  )
}

/** The source of the cover. */
export function ImageCredit({ book }: { book: Book }) {
  const cover = book.image_links.map(parseCoverLink).find((found) => found !== null)
  const { data: sources = [] } = useQuery({
    ...sourcesQuery(useApi(), book),
    enabled: Boolean(cover),
  })
  const source = cover && sources.find(({ name }) => name === cover.source)
  if (!source) return null
  return (
    <p className="text-xs text-ink-soft">
      <a href={source.link} target="_blank" rel="noopener noreferrer" className={linkClass}>
        {t('imageFrom', { source: sourceNames[source.name] })}
      </a>
    </p>
  )
}
