import { useInfiniteQuery } from '@tanstack/react-query'
import { format, formatDistanceToNowStrict } from 'date-fns'
import { History } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { activityLabel, type Activity, type ActivityEvent } from '#shared/activity.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { activitiesQuery } from '#web/api/library.ts'
import { Cover } from '#web/ui/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { ListRowSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StatusIcon, type StatusName } from '#web/ui/status-badge.tsx'

/** What a reader did, newest first; it grows by itself as things happen. */
export function Timeline({ user }: { user: string }) {
  const query = useInfiniteQuery(activitiesQuery(useApi(), user))
  const activities = query.data?.pages.flatMap((page) => page.items) ?? []
  const skeleton = <SkeletonGroup count={3} of={ListRowSkeleton} label="Loading activity…" />
  if (query.isPending) return skeleton
  if (query.isError && activities.length === 0)
    return (
      <ErrorState
        title="Data Error"
        message={errorMessage(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    )
  if (activities.length === 0)
    return <EmptyState icon={<History />}>No activity to show!</EmptyState>
  return (
    <InfiniteList
      hasMore={query.hasNextPage}
      loading={query.isFetchingNextPage}
      onMore={() => void query.fetchNextPage()}
      error={query.isFetchNextPageError ? errorMessage(query.error) : undefined}
      status={`${activities.length} entries`}
      skeleton={skeleton}
    >
      <ol aria-live="polite" aria-relevant="additions">
        {activities.map((activity) => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </ol>
    </InfiniteList>
  )
}

/** An event's colour and icon are those of the status it is about. */
const looks: Record<ActivityEvent, StatusName> = {
  reading: 'reading',
  completed: 'completed',
  planning: 'planning',
  paused: 'paused',
  dropped: 'dropped',
  progress_updated: 'reading',
}

function Entry({ activity }: { activity: Activity }) {
  const { data, event_type } = activity
  const namesBook = event_type === 'planning' || event_type === 'progress_updated'
  return (
    <li className="flex items-center gap-4 border-b border-line py-3 animate-fade-in">
      <span className="w-10 shrink-0">
        <Cover title={data.title} author={data.authors[0]} src={data.cover} alt="" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex items-center gap-2 font-medium">
          <StatusIcon status={looks[event_type]} />
          <span className="min-w-0 wrap-anywhere">{activityLabel(activity)}</span>
        </p>
        <p className="text-sm text-ink-soft wrap-anywhere">
          {namesBook && !data.slug ? null : <BookName data={data} short={namesBook} />}
        </p>
      </div>
      <Moment date={activity.created} />
    </li>
  )
}

/** The book as a link where it has a page; beside a label that names it, only the link is needed. */
function BookName({ data, short }: { data: Activity['data']; short: boolean }) {
  const name = <bdi>{short ? (data.authors[0] ?? data.title) : data.title}</bdi>
  if (!data.slug) return name
  return (
    <TextLink asChild tone="soft">
      <Link to={`/book/${data.slug}`} aria-label={data.title}>
        {name}
      </Link>
    </TextLink>
  )
}

function Moment({ date }: { date: string }) {
  const moment = new Date(date.replace(' ', 'T'))
  // The reader's clock and zone are the browser's; the server says the day alone.
  const inBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  return (
    <time
      dateTime={moment.toISOString()}
      title={inBrowser ? format(moment, 'dd-MM-yyyy HH:mm') : undefined}
      className="shrink-0 text-sm text-ink-faint tabular-nums"
    >
      {inBrowser
        ? `${formatDistanceToNowStrict(moment)} ago`
        : moment.toISOString().slice(0, 10).split('-').toReversed().join('-')}
    </time>
  )
}
