import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { finishedMonthsQuery, profileNumbersQuery, type ProfileHead } from '#web/api/profile.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { MonthChart } from './month-chart.tsx'
import { t } from '#web/i18n/profile.ts'
import { formatNumber } from '#web/i18n/format.ts'

/**
 * A reader's four numbers, each distinct book counted once, with skeletons while they load, and their
 * last twelve months if they have finished a book in them.
 */
export function ProfileStats({ profile }: { profile: ProfileHead }) {
  const api = useApi()
  const query = useQuery(profileNumbersQuery(api, profile))
  const { data } = query
  const { data: months = [] } = useQuery(finishedMonthsQuery(api, profile.username))
  const hasMonths = months.some(({ books }) => books > 0)
  if (query.isError && !data) return <ErrorState className="mb-8" {...dataError(query)} />
  const skeleton = <Skeleton className="my-1 h-7 w-16" />
  const value = (number: number | undefined) => number ?? skeleton
  return (
    <Panel className="mb-8">
      <div className={hasMonths ? 'grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2' : undefined}>
        <StatList isLoading={!data}>
          <Stat
            label={t('avgRating')}
            value={data ? <AverageRating rating={data.average_rating} /> : skeleton}
          />
          <Stat label={t('booksRead')} value={value(data?.books_read)} />
          <Stat
            label={t('shelvesCreated')}
            value={value(data?.shelves_count)}
            className="max-sm:hidden"
          />
          <Stat label={t('pagesRead')} value={value(data?.pages_read)} />
        </StatList>
        {hasMonths ? <MonthChart username={profile.username} months={months} /> : null}
      </div>
    </Panel>
  )
}

/** @param props.rating out of ten, shown out of what the viewer counts to; 0 where nothing is rated */
export function AverageRating({ rating }: { rating: number }) {
  const scale = useRatingScale()
  if (!(rating > 0)) return <span className="text-ink-faint">–</span>
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return (
    <>
      {formatNumber((rating * scale) / 10, decimals)}
      <span className="text-[0.6em] leading-none text-ink-soft">/{formatNumber(scale)}</span>
    </>
  )
}
