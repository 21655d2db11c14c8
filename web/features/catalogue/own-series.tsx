import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { isVolume, seriesPath, type OwnSeriesBooks } from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { morePages } from '#web/api/more-pages.ts'
import { dataError } from '#web/api/errors.ts'
import { ownSeriesQuery } from '#web/api/series.ts'
import {
  OwnedRecords,
  ownRecordsOf,
} from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { t as tWorks } from '#web/i18n/works.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { CoverCardSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { OwnPart } from './own-part.tsx'
import { Entries } from './series-books.tsx'

/** A reader's books by series: what they have of each, what is missing and what comes next. */
export default function OwnSeriesList({ user }: { user: string }) {
  const query = useInfiniteQuery(ownSeriesQuery(useApi(), user))
  const skeleton = (
    <SkeletonGroup
      count={6}
      of={CoverCardSkeleton}
      label={t('lookingForBooks')}
      className="cover-row"
    />
  )
  if (query.isPending) return skeleton
  if (!query.data) return <ErrorState {...dataError(query)} />
  const series = query.data.pages.flatMap((page) => page.series)
  if (series.length === 0)
    return <ErrorState tone="empty" title={t('noResultsFound')} message={tWorks('noSeriesHint')} />
  return (
    <InfiniteList {...morePages(query)} skeleton={skeleton}>
      <div className="mt-4 grid grid-cols-1 gap-10">
        {series.map((found) => (
          <section key={found.series.id} data-place={found.series.id}>
            <h3 className="mb-2 text-xl">
              <Link to={seriesPath(found.series)} className="hover:underline">
                <bdi>{found.series.name}</bdi>
              </Link>
            </h3>
            <SeriesShelf found={found} />
          </section>
        ))}
      </div>
    </InfiniteList>
  )
}

/** One series as a row, of the volumes alone if there are any. */
function SeriesShelf({ found }: { found: OwnSeriesBooks }) {
  const volumes = found.entries.filter(({ position }) => isVolume(position))
  const entries = volumes.length > 0 ? volumes : found.entries
  const records = useMemo(() => ownRecordsOf(found), [found])
  return (
    <OwnedRecords records={records}>
      <OwnPart found={{ ...found, entries }} />
      <Entries label={found.series.name} entries={entries} className="cover-row" />
    </OwnedRecords>
  )
}
