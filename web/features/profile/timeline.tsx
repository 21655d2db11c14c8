import { useInfiniteQuery } from '@tanstack/react-query'
import { EllipsisVertical, EyeOff, History } from 'lucide-react'
import { lazy } from 'react'
import { Link } from 'react-router'
import { activityLabel, type Activity, type ActivityEvent } from '#shared/activity.ts'
import { activityLimitNote, plans } from '#shared/plan.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { activitiesQuery } from '#web/api/library.ts'
import { isPremium, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { withoutRepeats } from '#web/api/without-repeats.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cover } from '#web/ui/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { ago, readMoment, useDay } from '#web/ui/moment.ts'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StatusIcon, type StatusName } from '#web/ui/status-badge.tsx'
import { t } from '#web/i18n/people.ts'

/** What a reader did, newest first; it grows by itself as things happen. */
export function Timeline(props: {
  user: string
  /** Only the owner has it: told of an entry that was deleted, to offer the way back. */
  onRemoved?: ((activity: Activity) => void) | undefined
}) {
  const { user, onRemoved } = props
  const query = useInfiniteQuery(activitiesQuery(useApi(), user))
  const activities = withoutRepeats(query.data?.pages.flatMap((page) => page.items) ?? [])
  const isLimited = !isPremium(useSession(), useSite())
  const skeleton = <SkeletonGroup count={3} of={EntrySkeleton} label={t('loadingActivity')} />
  if (query.isPending) return skeleton
  if (query.isError && activities.length === 0) return <ErrorState {...dataError(query)} />
  if (activities.length === 0)
    return (
      <EmptyState icon={<History />} action={onRemoved ? <FirstBook /> : undefined}>
        {t('noActivityToShow')}
      </EmptyState>
    )
  return (
    <InfiniteList
      hasMore={query.hasNextPage}
      loading={query.isFetchingNextPage}
      onMore={() => void query.fetchNextPage()}
      error={query.isFetchNextPageError ? errorMessage(query.error) : undefined}
      status={t('entryCount', { count: activities.length })}
      skeleton={skeleton}
    >
      <ol className="@container border-t border-line">
        {activities.map((activity) => (
          <Entry key={activity.id} activity={activity} onRemoved={onRemoved} />
        ))}
      </ol>
      {onRemoved &&
      isLimited &&
      !query.hasNextPage &&
      activities.length === plans.free.activities ? (
        <p className="pt-4 text-sm text-ink-soft">{activityLimitNote}</p>
      ) : null}
    </InfiniteList>
  )
}

/** What an owner's timeline begins with. */
function FirstBook() {
  return (
    <Button asChild variant="primary">
      <Link to="/explore">{t('findABook')}</Link>
    </Button>
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

function Entry({
  activity,
  onRemoved,
}: {
  activity: Activity
  onRemoved: ((activity: Activity) => void) | undefined
}) {
  const { data, event_type, isPrivate } = activity
  const namesBook = namesItsBook(event_type)
  return (
    <li className={classNames(rowClass, onRemoved ? ownClass : othersClass)}>
      <span className="row-span-2 self-start sm:row-span-1">
        <Cover title={data.title} author={data.authors[0]} src={data.cover} alt="" />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="flex gap-2 leading-6 font-medium">
          <StatusIcon status={looks[event_type]} className="mt-1" />
          <span className="min-w-0 wrap-anywhere">
            <Label activity={activity} />
          </span>
        </p>
        <p className="ps-6 text-sm text-ink-soft wrap-anywhere empty:hidden">
          {namesBook ? <Authors data={data} /> : <BookName data={data} />}
        </p>
        <p className="flex items-center gap-1.5 ps-6 text-sm text-ink-soft empty:hidden">
          {isPrivate ? (
            <>
              <EyeOff aria-hidden className="size-4" /> {t('hiddenFromOthers')}
            </>
          ) : null}
        </p>
      </div>
      <Moment date={activity.created} />
      {onRemoved ? (
        <span className="relative z-10 col-start-3 row-start-1 -me-2 sm:col-start-4">
          <OnDemand button={menuButton(activity)} preload={fetchMenu}>
            {(trigger) => <EntryMenu trigger={trigger} activity={activity} onRemoved={onRemoved} />}
          </OnDemand>
        </span>
      ) : null}
    </li>
  )
}

const rowClass =
  'relative grid animate-fade-in items-center gap-x-4 gap-y-1 border-b border-line py-4 @max-[16rem]:gap-x-2'
const othersClass =
  'grid-cols-[--spacing(12)_minmax(0,1fr)] sm:grid-cols-[--spacing(12)_minmax(0,1fr)_auto]'

/** With a place for the menu at the end. */
const ownClass =
  'grid-cols-[--spacing(12)_minmax(0,1fr)_auto] sm:grid-cols-[--spacing(12)_minmax(0,1fr)_auto_auto]'

const fetchMenu = () => import('./entry-menu.tsx')
const EntryMenu = lazy(fetchMenu)

const menuButton = (activity: Activity) => (
  <IconButton label={t('entryMenu', { entry: entryText(activity) })}>
    <EllipsisVertical aria-hidden />
  </IconButton>
)

const namesItsBook = (event: ActivityEvent) => event === 'planning' || event === 'progress_updated'

/** All that tells an entry from the others: 'Finished Reading Emma'. */
function entryText(activity: Activity): string {
  const label = activityLabel(activity)
  return namesItsBook(activity.event_type) ? label : `${label} ${activity.data.title}`
}

/** Stands for the title while a label is made, to find where in it the title comes. */
const mark = '\u0000'

/** The event's sentence; the title in it, if it has one, leads to the book. */
function Label({ activity }: { activity: Activity }) {
  const { data } = activity
  const label = activityLabel({ ...activity, data: { ...data, title: mark } })
  const [before, after] = label.split(mark)
  if (after === undefined) return before
  return (
    <>
      {before}
      <BookName data={data} />
      {after}
    </>
  )
}

/** The title; where the book has a page, the whole entry leads there. */
function BookName({ data }: { data: Activity['data'] }) {
  const name = <bdi>{data.title}</bdi>
  if (!data.slug) return name
  return (
    <Link
      to={`/book/${data.slug}`}
      className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
    >
      {name}
    </Link>
  )
}

function Authors({ data }: { data: Activity['data'] }) {
  return data.authors.length > 0 ? <bdi>{data.authors.join(', ')}</bdi> : null
}

/** How long ago, and the day. */
function Moment({ date }: { date: string }) {
  const moment = readMoment(date)
  const day = useDay(moment)
  return (
    <time
      dateTime={moment.toISOString()}
      className="col-start-2 flex flex-wrap gap-x-2 ps-6 text-sm text-ink-soft sm:col-start-3 sm:row-start-1 sm:flex-col sm:ps-0 sm:text-end sm:[&>span]:whitespace-nowrap"
    >
      <span suppressHydrationWarning>{ago(moment)}</span>
      <span className="text-ink-faint sm:text-xs">{day}</span>
    </time>
  )
}

/** The shape of an entry that is still coming. */
function EntrySkeleton() {
  return (
    <div aria-hidden className={classNames(rowClass, othersClass)}>
      <Skeleton className="aspect-2/3 w-full" />
      <div className="grid gap-2">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="ms-6 h-3 w-2/5" />
      </div>
      <Skeleton className="h-4 w-20 max-sm:hidden" />
    </div>
  )
}
