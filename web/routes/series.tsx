import { useQuery } from '@tanstack/react-query'
import { redirect, useParams } from 'react-router'
import { seriesPath, type SeriesBooks } from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import {
  browserLoader,
  noMeta,
  orNotFound,
  serverLoader,
  type Load,
  type LoadInput,
} from '#web/api/load.ts'
import { ownRecordsQuery } from '#web/api/reading.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { ownInSeriesQuery, seriesQuery } from '#web/api/series.ts'
import { sessionQuery, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { bookPath } from '#web/features/catalogue/book-card.tsx'
import { SeriesGrid } from '#web/features/catalogue/series-grid.tsx'
import { inGroups, ownRecords } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { JsonLd } from '#web/ui/json-ld.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { withCommas } from '#web/i18n/format.ts'

const load: Load = async (input) => {
  const { api, fetch, params } = input
  const id = params['seriesId'] ?? ''
  const [found, session] = await Promise.all([
    fetch(seriesQuery(api, id)).catch(orNotFound(t('noSuchSeries'))),
    fetch(sessionQuery(api)),
  ])
  if (found.series.id !== id) throw redirect(seriesPath(found.series), 301)
  // The page is worth showing without them; it asks again by itself.
  if (session) await loadOwn(input, session.user.id, found).catch(() => undefined)
}

/** Loads what the reader has of a series, which stands above its books. */
async function loadOwn({ api, fetch }: LoadInput, user: string, found: SeriesBooks) {
  const own = await fetch(ownInSeriesQuery(api, user, found.series.id))
  const ids = new Set(ownRecords(found.entries, own).values())
  await Promise.all(inGroups([...ids]).map((some) => fetch(ownRecordsQuery(api, user, some))))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

export default function SeriesScreen() {
  const { data: found } = useQuery(seriesQuery(useApi(), useParams()['seriesId'] ?? ''))
  const site = useSite().url
  useLiveReader(useSession()?.user.id)
  if (!found) return null
  const { series, entries } = found
  const by = series.authors.length > 0 ? t('seriesBy', { authors: withCommas(series.authors) }) : ''
  return (
    <Container>
      <PageMeta title={series.name} description={by || series.name} path={seriesPath(series)} />
      <JsonLd
        data={{
          '@context': 'https://schema.org',
          '@type': 'BookSeries',
          name: series.name,
          url: site + seriesPath(series),
          author: series.authors.map((name) => ({ '@type': 'Person', name })),
          hasPart: entries.map(({ position, book }) => ({
            '@type': 'Book',
            name: book.title,
            position: position || undefined,
            url: bookPath(book) && site + bookPath(book),
          })),
        }}
      />
      <BookEditorHost>
        <SeriesGrid key={series.id} found={found} />
      </BookEditorHost>
    </Container>
  )
}
