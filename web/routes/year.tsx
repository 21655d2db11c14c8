import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, Grid2x2, Library } from 'lucide-react'
import { useState } from 'react'
import { data, Link, useParams } from 'react-router'
import { readBookPath } from '#shared/book-path.ts'
import type { DiaryEntry } from '#shared/diary.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { isPeriod } from '#shared/period.ts'
import type { Figure } from '#shared/statistics.ts'
import { useApi } from '#web/api/context.ts'
import { morePages } from '#web/api/more-pages.ts'
import { diaryQuery } from '#web/api/diary.ts'
import { dataError } from '#web/api/errors.ts'
import { goalsQuery } from '#web/api/goals.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { statisticsQuery } from '#web/api/statistics.ts'
import { uniqueRecords } from '#web/api/unique-records.ts'
import { topRatedQuery } from '#web/api/top-rated.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import type { ItemProps } from '#web/features/library/book-list/book-pages.tsx'
import { GoalCard } from '#web/features/profile/goal-card.tsx'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { sharePicture } from '#web/features/profile/share-picture.ts'
import { YearRail } from '#web/features/profile/year-rail.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Container, ListHeader } from '#web/ui/page-shell.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Spine, spineShelfClass } from '#web/ui/spine.tsx'
import { formatDate, formatList, formatNumber } from '#web/i18n/format.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/year.ts'

/** The most titles that are named. */
const maxBest = 7

/** The word for the year in which the profile's reader is. */
const thisYear = 'year'

/**
 * @param today the reader's day, by the server's clock
 * @returns the year or month that an address names; '' if it names none
 */
function periodOf({ period = '' }: { period?: string | undefined }, today: string): string {
  if (period === thisYear) return today.slice(0, 4)
  return isPeriod(period) ? period : ''
}

/** @returns the day of the profile's reader; '' until it is known */
function useToday(): string {
  const { profile } = useProfile()
  return useQuery(goalsQuery(useApi(), profile.username)).data?.today ?? ''
}

/** @returns which readings a year or month has */
const selectionOf = (period: string) =>
  period.length > 4
    ? { year: period.slice(0, 4), by: 'period' as const, key: period }
    : { year: period }

const load: Load = async ({ api, fetch, start, startPages, params }) => {
  if (params['period'] !== thisYear && !periodOf(params, '')) throw data({}, { status: 404 })
  const { id, username } = await fetch(profileQuery(api, params['username'] ?? ''))
  const goals = goalsQuery(api, username)
  const today = params['period'] === thisYear ? (await fetch(goals)).today : ''
  const period = periodOf(params, today)
  await Promise.all([
    startPages(diaryQuery(api, username, selectionOf(period))),
    start(statisticsQuery(api, username, { year: period.slice(0, 4) })),
    start(statisticsQuery(api, username)),
    start(topRatedQuery(api, id, period)),
    start(goals),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

/** A reader's year or month as a wall of what they finished in it. */
export default function YearScreen() {
  const { profile, isOwner, name } = useProfile()
  const today = useToday()
  const period = periodOf(useParams(), today)
  const year = period.slice(0, 4)
  const title = partialDateText(period, currentLanguage())
  const { data: statistics } = useQuery(statisticsQuery(useApi(), profile.username, { year }))
  const figures = statistics?.figures ?? []
  const books = sumOf(figures, period, 'books', 'by_month')
  const picture = `/api/v1/users/${profile.username}/year/${period}.png`
  const months = partsOf(figures, 'by_month')
  return (
    <Container>
      <PageMeta
        title={isOwner ? title : t('title', { name, period: title })}
        description={t('description', { username: profile.username, period: title })}
        path={`/u/${profile.username}/${period}`}
        picture={books > 0 && !profile.isPrivate ? picture : undefined}
      />
      <ListHeader title={title} actions={isOwner ? <ScreenMenu profile={profile} /> : null} />
      <div className="mb-4 gap-x-12 md:flex md:items-start md:justify-between">
        <div className="grid max-w-prose gap-1">
          <p className="font-serif text-lg text-balance empty:hidden">{sumText(figures, period)}</p>
          <Best period={period} />
        </div>
        <Goals year={year} />
      </div>
      <YearRail year={year} className="mb-4" />
      <Wall key={period} {...{ period, title, today }} />
      {months.size > 0 ? <Months year={year} period={period} counts={months} /> : null}
      {books > 0 ? <Picture path={picture} /> : null}
      <TextLink asChild>
        <Link
          to={`/u/${profile.username}/stats?year=${year}`}
          className="inline-flex min-h-11 items-center"
        >
          {t('statsOf', { year })}
        </Link>
      </TextLink>
    </Container>
  )
}

/** @returns a figure's values by part */
function partsOf(figures: readonly Figure[], id: Figure['id']): Map<string, number> {
  const parts = figures.find((figure) => figure.id === id)?.parts ?? []
  return new Map(parts.map(({ key, value }) => [key, value]))
}

/** @returns the value of a year, or of one of its months from a figure's parts */
function sumOf(
  figures: readonly Figure[],
  period: string,
  whole: Figure['id'],
  parts = whole,
): number {
  return period.length > 4
    ? (partsOf(figures, parts).get(period) ?? 0)
    : (figures.find(({ id }) => id === whole)?.value ?? 0)
}

/** The year or month as a picture, in the size for a message and for a phone's whole screen. */
function Picture({ path }: { path: string }) {
  const sizes = [
    ['', t('pictureWide')],
    ['?size=tall', t('pictureTall')],
  ] as const
  return (
    <section className="mb-6 print:hidden">
      <h2 className="text-xl">{t('picture')}</h2>
      <p className="mb-3 text-ink-soft">{t('pictureHint')}</p>
      <ul className="flex flex-wrap gap-2">
        {sizes.map(([query, label]) => (
          <li key={query}>
            <Button asChild>
              <a href={path + query} download onClick={(event) => void sharePicture(event)}>
                <Download aria-hidden className="size-4" />
                {label}
              </a>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @returns "40 books, 12,740 pages, and 39 hours of listening" */
function sumText(figures: readonly Figure[], period: string): string {
  const books = sumOf(figures, period, 'books', 'by_month')
  const pages = sumOf(figures, period, 'pages')
  const minutes = sumOf(figures, period, 'minutes')
  return formatList([
    ...(books > 0 ? [t('books', { count: books })] : []),
    ...(pages > 0 ? [t('pages', { count: pages })] : []),
    ...(minutes > 0 ? [t('hours', { count: Math.round(minutes / 60) })] : []),
  ])
}

/** The highest rated books, if they are few. */
function Best({ period }: { period: string }) {
  const { profile } = useProfile()
  const { data: titles = [] } = useQuery(topRatedQuery(useApi(), profile.id, period))
  if (titles.length === 0 || titles.length > maxBest) return null
  return <p className="text-ink-soft">{t('best', { titles: formatList(titles) })}</p>
}

/** The goals that the year belongs to. */
function Goals({ year }: { year: string }) {
  const { profile } = useProfile()
  const { data: list } = useQuery(goalsQuery(useApi(), profile.username))
  const shown = list?.goals.filter(({ from, to }) => from.slice(0, 4) <= year && to >= year) ?? []
  if (!list || shown.length === 0) return null
  return (
    <ul className="grid shrink-0 gap-4 max-md:mt-4 md:w-86">
      {shown.map((goal) => (
        <li key={goal.id}>
          <GoalCard goal={goal} today={list.today} />
        </li>
      ))}
    </ul>
  )
}

type Look = 'covers' | 'spines'

/** Finished books, newest first, as covers or as spines. */
function Wall({ period, title, today }: { period: string; title: string; today: string }) {
  const { profile, isOwner } = useProfile()
  const [look, setLook] = useState<Look>('covers')
  const source = diaryQuery(useApi(), profile.username, selectionOf(period))
  const query = useInfiniteQuery(source)
  const list = usePagesInSight(source.queryKey, query, ({ items }) => items.map(({ id }) => id))
  const entries = uniqueRecords(query.data?.pages.flatMap((page) => page.items) ?? [])
  if (query.isError && entries.length === 0) return <ErrorState {...dataError(query)} />
  if (query.isSuccess && entries.length === 0)
    return (
      <EmptyState>
        {isOwner && period === today.slice(0, 4) ? t('noneYet') : t('empty', { period: title })}
      </EmptyState>
    )
  return (
    <>
      <div className="mb-4 print:hidden">
        <SegmentedControl
          label={t('look')}
          value={look}
          onValueChange={setLook}
          options={[
            { value: 'covers', label: t('covers'), icon: <Grid2x2 aria-hidden /> },
            { value: 'spines', label: t('spines'), icon: <Library aria-hidden /> },
          ]}
        />
      </div>
      <div className="mb-8 overflow-x-clip">
        <InfiniteList
          ref={list}
          {...morePages(query)}
          status={t('books', { count: entries.length })}
          skeleton={null}
        >
          <ol
            className={
              look === 'covers'
                ? 'grid grid-cols-4 gap-2 sm:grid-cols-6 lg:grid-cols-10'
                : spineShelfClass
            }
          >
            {entries.map((entry, place) =>
              look === 'covers' ? (
                <WallCover key={entry.id} entry={entry} priority={place < 10} />
              ) : (
                <WallSpine key={entry.id} entry={entry} />
              ),
            )}
          </ol>
        </InfiniteList>
      </div>
    </>
  )
}

function WallCover({ entry, priority }: { entry: DiaryEntry; priority: boolean }) {
  const { id, book } = entry
  const path = readBookPath(useProfile().profile.username, book)
  const cover = (
    <>
      <Cover
        title={book.title}
        author={book.authors[0]}
        src={book.images}
        alt=""
        priority={priority}
      />
      <span className="sr-only">{book.title}</span>
    </>
  )
  return (
    <li data-place={id}>
      {path ? (
        <Link to={path} title={book.title} className="block rounded-cover">
          {cover}
        </Link>
      ) : (
        cover
      )}
    </li>
  )
}

function WallSpine({ entry }: { entry: DiaryEntry }) {
  const { id, book, pages } = entry
  const place: ItemProps = { 'data-place': id }
  const path = readBookPath(useProfile().profile.username, book)
  return (
    <Spine
      title={book.title}
      author={book.authors[0]}
      pages={pages}
      link={path ? <Link to={path} title={book.title} /> : <span title={book.title} />}
      item={place}
    />
  )
}

/** Links to a year's months, with the number of books of each. */
function Months(props: { year: string; period: string; counts: ReadonlyMap<string, number> }) {
  const { year, period, counts } = props
  const { profile } = useProfile()
  return (
    <nav aria-label={t('months')} className="mb-4 border-y border-line">
      <ul className="grid grid-cols-4 md:grid-cols-12">
        {Array.from({ length: 12 }, (_, place) => {
          const key = `${year}-${String(place + 1).padStart(2, '0')}`
          const count = counts.get(key) ?? 0
          const date = new Date(`${key}-01T00:00:00Z`)
          return (
            <li key={key}>
              <Link
                to={`/u/${profile.username}/${key}`}
                aria-current={key === period ? 'page' : undefined}
                className="flex min-h-13 items-center justify-center gap-1.5 text-sm font-medium hover:bg-sunken aria-[current]:text-rubric"
              >
                {formatDate(date, { month: 'short', timeZone: 'UTC' })}
                <span className="sr-only"> {t('books', { count })}</span>
                <span aria-hidden className="font-serif text-ink-soft tabular-nums">
                  {count > 0 ? formatNumber(count) : null}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
