import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, EyeOff } from 'lucide-react'
import { Suspense, useRef, type ComponentProps, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { Activity, ActivityEvent } from '#shared/activity.ts'
import { recordPath } from '#shared/book-path.ts'
import { plans } from '#shared/plan.ts'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { isPremium, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { addOlder, fetchOlder, timelineQuery } from '#web/api/timeline.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Cover } from '#web/ui/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { parseTimestamp, useLocalDay, useServerClock } from '#web/ui/timestamp.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { firstRows, type VisibleRows } from '#web/ui/row-layout.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { StatusIcon, type StatusName } from '#web/ui/status-badge.tsx'
import { t } from '#web/i18n/profile.ts'
import { rowLabel, timelineRows, type TimelineRow } from './timeline-rows.ts'
import { withCommas, formatAgo } from '#web/i18n/format.ts'

/** Called with deleted entries, to offer Undo; only for the owner. */
type OnRemoved = ((ids: readonly string[]) => void) | undefined

const VirtualRows = lazy(async () => ({
  default: (await import('#web/ui/virtual-rows.tsx')).VirtualRows,
}))

/** Rows that are there before the code that follows the window is. */
const shownAtFirst = 15

/** A reader's events, newest first; new ones appear at once. */
export function Timeline(props: { user: string; username: string; onRemoved?: OnRemoved }) {
  const { user, username, onRemoved } = props
  const api = useApi()
  const queries = useQueryClient()
  const query = useQuery(timelineQuery(api, user))
  const { entries = [], hasMore = false } = query.data ?? {}
  const last = entries.at(-1)
  const more = useMutation({
    mutationFn: async () => (last ? fetchOlder(api, last) : undefined),
    onSuccess: (older) => older && addOlder(queries, user, older),
  })
  const session = useSession()
  // Only the reader's own settings are known.
  const dayEnd = session?.user.id === user ? Number(session.settings?.day_ends ?? 0) : 0
  const rows = timelineRows(entries, useHydrated(), dayEnd)
  const isLimited = !isPremium(session, useSite())
  const skeleton = <SkeletonGroup count={3} of={EntrySkeleton} label={t('loadingActivity')} />
  if (query.isPending) return skeleton
  if (query.isError && entries.length === 0) return <ErrorState {...dataError(query)} />
  if (entries.length === 0)
    return (
      <EmptyState action={onRemoved ? <FirstBook /> : undefined}>
        {t('noActivityToShow')}
      </EmptyState>
    )
  return (
    <InfiniteList
      hasMore={hasMore}
      isAhead={rows.length > shownAtFirst}
      loading={more.isPending}
      onMore={() => more.mutate()}
      error={more.isError ? errorMessage(more.error) : undefined}
      status={t('entryCount', { count: entries.length })}
      skeleton={skeleton}
    >
      <Rows rows={rows} username={username} onRemoved={onRemoved} />
      {onRemoved && isLimited && !hasMore && entries.length === plans.free.activities ? (
        <p className="pt-4 text-sm text-ink-soft">
          {t('olderEntries', { count: plans.free.activities })}
        </p>
      ) : null}
    </InfiniteList>
  )
}

/** However many there are, only those in sight are in the page. */
function Rows(props: { rows: readonly TimelineRow[]; username: string; onRemoved: OnRemoved }) {
  const { rows, username, onRemoved } = props
  const list = useRef<HTMLOListElement>(null)
  const shown = ({ items, before, after, rowStart }: VisibleRows) => (
    <ol
      ref={list}
      className="@container border-t border-line"
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {items.map((place) => {
        const row = rows[place]
        if (!row) return null
        const item = {
          'aria-setsize': rows.length,
          'aria-posinset': place + 1,
          'data-place': row.key,
          ...rowStart(place),
        }
        return <Row key={row.key} row={row} username={username} onRemoved={onRemoved} item={item} />
      })}
    </ol>
  )
  const first = shown(firstRows(Math.min(rows.length, shownAtFirst)))
  if (rows.length <= shownAtFirst) return first
  return (
    <Suspense fallback={first}>
      <VirtualRows list={list} count={rows.length} first={shownAtFirst} shape={rowShape}>
        {shown}
      </VirtualRows>
    </Suspense>
  )
}

/** The cover's height and what is around it, and the moment below it on phones. */
const rowShape = { estimateHeight: () => 72, overscan: 9 }

/** The beginning of an owner's timeline. */
function FirstBook() {
  return (
    <Button asChild variant="primary">
      <Link to="/explore">{t('findABook')}</Link>
    </Button>
  )
}

/** An event has the colour and icon of its status. */
const looks: Record<ActivityEvent, StatusName> = {
  reading: 'reading',
  completed: 'completed',
  planning: 'planning',
  paused: 'paused',
  dropped: 'dropped',
  progress_updated: 'reading',
}

function Row(props: {
  row: TimelineRow
  username: string
  onRemoved: OnRemoved
  item: ComponentProps<'li'> & { 'data-index'?: number; 'data-place'?: string }
}) {
  const { row, username, onRemoved, item } = props
  const { newest, entries, others, beginsDay } = row
  const { data, event_type, expand } = newest
  const namesBook = namesItsBook(event_type)
  const name = <BookName activity={newest} username={username} />
  const rating = event_type === 'completed' ? (expand?.book?.rating ?? 0) : 0
  return (
    <li {...item} className={classNames(rowClass, onRemoved ? ownClass : othersClass)}>
      <span className="row-span-2 self-start sm:row-span-1">
        <Cover title={data.title} author={data.authors[0]} src={data.cover} alt="" />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="flex gap-2 font-serif leading-6 font-medium">
          <StatusIcon status={looks[event_type]} className="mt-1" />
          <span className="min-w-0 wrap-anywhere">
            <Label row={row} name={name} />
          </span>
        </p>
        <p className="flex flex-wrap gap-x-3 ps-6 text-sm text-ink-soft wrap-anywhere empty:hidden">
          {namesBook ? <Authors data={data} /> : name}
          {rating > 0 ? <Rating value={rating} /> : null}
        </p>
        {others.map((label) => (
          <p key={label} className="ps-6 text-sm text-ink-soft wrap-anywhere">
            {label}
          </p>
        ))}
        <p className="flex items-center gap-1.5 ps-6 text-sm text-ink-soft empty:hidden">
          {entries.every(({ isPrivate }) => isPrivate) ? (
            <>
              <EyeOff aria-hidden className="size-4" /> {t('hiddenFromOthers')}
            </>
          ) : null}
        </p>
      </div>
      <Moment date={newest.created} showDay={beginsDay} />
      {onRemoved ? (
        <span className="relative z-10 col-start-3 row-start-1 -me-2 sm:col-start-4">
          <OnDemand button={menuButton(row)} preload={fetchMenu}>
            {(trigger) => <EntryMenu trigger={trigger} entries={entries} onRemoved={onRemoved} />}
          </OnDemand>
        </span>
      ) : null}
    </li>
  )
}

const rowClass =
  'relative grid items-center gap-x-4 border-b border-line pt-2 pb-1.75 @max-[16rem]:gap-x-2'
const othersClass =
  'grid-cols-[--spacing(8)_minmax(0,1fr)] sm:grid-cols-[--spacing(8)_minmax(0,1fr)_auto]'

/** With a place for the menu at the end. */
const ownClass =
  'grid-cols-[--spacing(8)_minmax(0,1fr)_auto] sm:grid-cols-[--spacing(8)_minmax(0,1fr)_auto_auto]'

const fetchMenu = () => import('./entry-menu.tsx')
const EntryMenu = lazy(fetchMenu)

const menuButton = (row: TimelineRow) => (
  <IconButton label={t('entryMenu', { entry: rowText(row) })}>
    <EllipsisVertical aria-hidden />
  </IconButton>
)

const namesItsBook = (event: ActivityEvent) => event === 'planning' || event === 'progress_updated'

/** @returns the row's accessible name, such as 'Finished Reading Emma' */
function rowText(row: TimelineRow): string {
  const { event_type, data } = row.newest
  const label = rowLabel(row)
  return namesItsBook(event_type) ? label : t('event.withTitle', { label, title: data.title })
}

/** Stands for the title while a label is made, to find where in it the title comes. */
const mark = '\u0000'

/** The row's sentence, with the book's name, a link, in it. */
function Label({ row: { newest, entries }, name }: { row: TimelineRow; name: ReactNode }) {
  const { data } = newest
  const label = rowLabel({ entries, newest: { ...newest, data: { ...data, title: mark } } })
  const [before, after] = label.split(mark)
  if (after === undefined) return before
  return (
    <>
      {before}
      {name}
      {after}
    </>
  )
}

/** The title. If the book has a page, the link covers the whole entry. */
function BookName({ activity, username }: { activity: Activity; username: string }) {
  const { book, data } = activity
  const name = <bdi>{data.title}</bdi>
  if (!data.slug && !book) return name
  return (
    <Link
      to={data.slug ? `/book/${data.slug}` : recordPath(username, book)}
      className="after:absolute after:inset-0 hover:underline hover:decoration-line-strong hover:underline-offset-4"
    >
      {name}
    </Link>
  )
}

function Authors({ data }: { data: Activity['data'] }) {
  return data.authors.length > 0 ? <bdi>{withCommas(data.authors)}</bdi> : null
}

/** How long ago, and the day where it begins. */
function Moment({ date, showDay }: { date: string; showDay: boolean }) {
  const moment = parseTimestamp(date)
  const day = useLocalDay(moment)
  useServerClock()
  return (
    <time
      dateTime={moment.toISOString()}
      className="col-start-2 flex flex-wrap gap-x-2 ps-6 text-sm text-ink-soft sm:col-start-3 sm:row-start-1 sm:flex-col sm:ps-0 sm:text-end sm:[&>span]:whitespace-nowrap"
    >
      <span suppressHydrationWarning>{formatAgo(moment)}</span>
      {showDay ? <span className="text-ink-faint sm:text-xs">{day}</span> : null}
    </time>
  )
}

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
