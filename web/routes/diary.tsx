import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CalendarDays, Grid2x2 } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { isbnPath, recordPath } from '#shared/book-path.ts'
import type { DiaryEntry } from '#shared/diary.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { readingPartForm, unknownPart, type ReadingPartForm } from '#shared/statistics.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { morePages } from '#web/api/more-pages.ts'
import { dataError } from '#web/api/errors.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { diaryQuery } from '#web/api/diary.ts'
import { statisticsQuery } from '#web/api/statistics.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { uniqueRecords } from '#web/api/unique-records.ts'
import { DiaryCalendar } from '#web/features/profile/diary-calendar.tsx'
import { partLabel, statisticsPath } from '#web/features/profile/reading-part.ts'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { YearRail } from '#web/features/profile/year-rail.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Container, ListHeader } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { t } from '#web/i18n/profile.ts'
import { t as tStatistics } from '#web/i18n/statistics.ts'
import { t as tYear } from '#web/i18n/year.ts'
import { currentLanguage } from '#web/i18n/language.ts'

const load: Load = async ({ api, fetch, start, startPages, params, url }) => {
  const { id, username } = await fetch(profileQuery(api, params['username'] ?? ''))
  const selection = readSelection(url.searchParams)
  await Promise.all([
    startPages(diaryQuery(api, username, selection)),
    start(statisticsQuery(api, username)),
    ...(selection.shelf ? [start(shelfNamesQuery(api, id))] : []),
  ])
}

/** @returns which bar of which statistics the address names; nothing for the whole diary */
function readSelection(search: URLSearchParams): Partial<ReadingPartForm> {
  const { by, key = '', ...form } = readingPartForm.safeParse(Object.fromEntries(search)).data ?? {}
  return { ...form, ...(by && { by, key }) }
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

/** Finished books as covers, by month. */
export default function DiaryScreen() {
  const api = useApi()
  const { profile, isOwner, name } = useProfile()
  const [search, setSearch] = useSearchParams()
  const view = search.get('view') === 'calendar' ? 'calendar' : 'covers'
  const selection = readSelection(search)
  const scale = useRatingScale()
  const { by, key = '', ...form } = selection
  const { year = '', format, genre, tag, shelf = '' } = form
  const isPart = Object.keys(selection).length > 0
  const { data: shelves } = useQuery({
    ...shelfNamesQuery(api, profile.id),
    enabled: shelf !== '',
  })
  const source = diaryQuery(api, profile.username, selection)
  const query = useInfiniteQuery(source)
  const list = usePagesInSight(source.queryKey, query, ({ items }) => items.map(({ id }) => id))
  const part = [
    by ? partLabel({ year, by, key }, scale) : '',
    by === 'period' && key !== unknownPart ? '' : year,
    format && partLabel({ by: 'format', key: format }, scale),
    genre,
    tag,
    shelves?.find(({ id }) => id === shelf)?.name,
  ]
  const title = isPart
    ? part.filter(Boolean).join(' · ')
    : isOwner
      ? t('myDiary')
      : t('diaryOf', { name })
  const entries = uniqueRecords(query.data?.pages.flatMap((page) => page.items) ?? [])
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('diaryDescription', { username: profile.username })}
        path={`/u/${profile.username}/diary`}
      />
      <ListHeader title={title} actions={isOwner ? <ScreenMenu profile={profile} /> : null} />
      {isPart ? null : <YearRail className="mb-4" />}
      {isPart ? (
        <TextLink asChild>
          <Link
            to={statisticsPath(profile.username, form)}
            className="mb-4 inline-flex min-h-11 items-center"
          >
            {isOwner ? tStatistics('myStats') : tStatistics('statsOf', { name })}
          </Link>
        </TextLink>
      ) : null}
      {query.isError && entries.length === 0 ? <ErrorState {...dataError(query)} /> : null}
      {query.isSuccess && entries.length === 0 ? (
        <EmptyState>
          {isPart
            ? tStatistics('noSuchReadings')
            : isOwner
              ? t('noFinishedBooksYetFinish')
              : t('noFinishedBooksHereYet')}
        </EmptyState>
      ) : null}
      {entries.length > 0 ? (
        <div className="mb-4 print:hidden">
          <SegmentedControl
            label={tYear('look')}
            value={view}
            onValueChange={(chosen) => {
              const next = new URLSearchParams(search)
              if (chosen === 'calendar') next.set('view', chosen)
              else next.delete('view')
              setSearch(next, { replace: true, preventScrollReset: true })
            }}
            options={[
              { value: 'covers', label: tYear('covers'), icon: <Grid2x2 aria-hidden /> },
              { value: 'calendar', label: tYear('calendar'), icon: <CalendarDays aria-hidden /> },
            ]}
          />
        </div>
      ) : null}
      {/* Keeps the footer below the fold while the list grows. */}
      <div className="min-h-[70dvh]">
        <InfiniteList
          ref={list}
          {...morePages(query)}
          status={t('readingCount', { count: entries.length })}
          skeleton={null}
        >
          {byMonth(entries).map(([month, read], place, months) => (
            <section key={month} className="mb-10">
              <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line pb-2">
                <h2 className="text-xl">{monthText(month)}</h2>
                {/* More of the last month may follow. */}
                {query.hasNextPage && place === months.length - 1 ? null : (
                  <p className="text-sm text-ink-soft tabular-nums">{sumText(read)}</p>
                )}
              </header>
              {view === 'calendar' && month.length > 4 ? (
                <DiaryCalendar month={month} entries={read} />
              ) : (
                <ol className="grid grid-cols-3 gap-x-4 gap-y-6 sm:grid-cols-5 lg:grid-cols-8">
                  {read.map((entry) => (
                    <Entry key={entry.id} entry={entry} />
                  ))}
                </ol>
              )}
            </section>
          ))}
        </InfiniteList>
      </div>
    </Container>
  )
}

/** @returns the entries grouped by month, or by year if the month is unknown, in their order */
function byMonth(entries: readonly DiaryEntry[]): [month: string, read: DiaryEntry[]][] {
  const months = Map.groupBy(entries, ({ finished }) => finished.slice(0, 7))
  return [...months]
}

function monthText(month: string): string {
  if (month === '') return tStatistics('yearUnknown')
  return month.length > 4
    ? partialDateText(month, currentLanguage())
    : t('monthUnknown', { year: month })
}

/** @returns "6 books · 1,930 pages" of what was finished */
function sumText(read: readonly DiaryEntry[]): string {
  const finished = read.filter(({ outcome }) => outcome === 'finished')
  const pages = finished.reduce((sum, entry) => sum + entry.pages, 0)
  return [
    finished.length > 0 && tYear('books', { count: finished.length }),
    pages > 0 && tYear('pages', { count: pages }),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Entry({ entry }: { entry: DiaryEntry }) {
  const { book, finished, outcome, rating } = entry
  const { username } = useProfile().profile
  const path = isbnPath(book) ?? recordPath(username, book.id)
  const cover = <Cover title={book.title} author={book.authors[0]} src={book.images} alt="" />
  const day = finished.length > 7 ? partialDateText(finished, currentLanguage()) : t('dayUnknown')
  return (
    <li data-place={entry.id} className="grid grid-cols-1 content-start gap-1.5">
      <Link to={path} title={book.title} className="rounded-cover">
        {cover}
        <span className="sr-only">{book.title}</span>
      </Link>
      <p className="text-sm text-balance text-ink-soft tabular-nums">
        {outcome === 'dropped' ? t('stoppedOn', { day }) : day}
      </p>
      {rating > 0 ? <Rating value={rating} className="flex-nowrap! text-xs" /> : null}
    </li>
  )
}
