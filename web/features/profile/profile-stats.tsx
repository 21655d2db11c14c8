import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { profileNumbersQuery, type ProfileHead } from '#web/api/profile.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { t } from '#web/i18n/people.ts'
import { formatNumber } from '#web/i18n/format.ts'

/** A reader's four numbers, each distinct book counted once; skeletons while they load. */
export function ProfileStats({ profile }: { profile: ProfileHead }) {
  const query = useQuery(profileNumbersQuery(useApi(), profile))
  const { data } = query
  if (query.isError && !data) return <ErrorState className="mb-8" {...dataError(query)} />
  const skeleton = <Skeleton className="my-1 h-7 w-16" />
  const value = (number: number | undefined) => number ?? skeleton
  return (
    <Panel className="mb-8">
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
