import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import {
  narrowings,
  unknownPart,
  type Figure,
  type FigureId,
  type ReadingPart,
  type StatisticsForm,
} from '#shared/statistics.ts'
import { statuses } from '#shared/user-book.ts'
import { tagsQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { goalsQuery } from '#web/api/goals.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { profileQuery, useProfile } from '#web/api/profile.ts'
import { useSession } from '#web/api/session.ts'
import { statisticsQuery } from '#web/api/statistics.ts'
import { BooksFilter } from '#web/features/profile/books-filter.tsx'
import { FigureSection, FigureTable } from '#web/features/profile/figure-table.tsx'
import { HourChart, hourLabel } from '#web/features/profile/hour-chart.tsx'
import { GoalList } from '#web/features/profile/goal-list.tsx'
import {
  partLabel,
  readingsPath,
  readStatisticsForm,
  statisticsPath,
} from '#web/features/profile/reading-part.ts'
import { AverageRating } from '#web/features/profile/profile-stats.tsx'
import { ScreenMenu } from '#web/features/profile/screen-menu.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { NavTab, NavTabs } from '#web/ui/nav-tabs.tsx'
import { Container, ListHeader } from '#web/ui/page-shell.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { formatDate, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/statistics.ts'

const load: Load = async ({ api, fetch, start, params, url }) => {
  const profile = await fetch(profileQuery(api, params['username'] ?? ''))
  await Promise.all([
    start(statisticsQuery(api, profile.username, readStatisticsForm(url.searchParams))),
    start(tagsQuery(api, profile.username)),
    start(shelfNamesQuery(api, profile.id)),
    start(goalsQuery(api, profile.username)),
  ])
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta = noMeta

/** From so many books on, it is worth showing how they differ. */
const booksForPattern = 5

/** The most genres or authors to list. */
const shownNames = 10

/** A reader's year in figures, each of which leads to the books that it counts. */
export default function StatsScreen() {
  const { profile, isOwner, name } = useProfile()
  const [search] = useSearchParams()
  const form = readStatisticsForm(search)
  const query = useQuery(statisticsQuery(useApi(), profile.username, form))
  const title = isOwner ? t('myStats') : t('statsOf', { name })
  return (
    <Container>
      <PageMeta
        title={title}
        description={t('statsDescription', { username: profile.username })}
        path={`/u/${profile.username}/stats`}
      />
      <ListHeader title={title} actions={isOwner ? <ScreenMenu profile={profile} /> : null} />
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data ? <Figures figures={query.data.figures} form={form} /> : null}
      <GoalList />
    </Container>
  )
}

function Figures({ figures, form }: { figures: readonly Figure[]; form: StatisticsForm }) {
  const { year = '' } = form
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  const books = byId.get('books')?.value ?? 0
  const missing = booksForPattern - books
  const years = (byId.get('by_year')?.parts ?? [])
    .map(({ key }) => key)
    .filter((key) => key !== unknownPart)
  return (
    <>
      <Years shown={years} form={form} />
      <BooksFilter form={form} genres={byId.get('by_genre')?.parts.map(({ key }) => key) ?? []} />
      {books === 0 ? (
        <div className="mb-10">
          <EmptyState>
            {narrowings.some((name) => form[name])
              ? t('noSuchReadings')
              : year
                ? t('noBooksInYear', { year })
                : t('noBooks')}
          </EmptyState>
        </div>
      ) : (
        <>
          <Totals figures={byId} />
          <div className="gap-x-12 lg:mb-10 lg:columns-2">
            <Periods figures={byId} form={form} />
            {missing > 0 ? (
              <p className="border-t border-line pt-5 font-serif text-lg text-ink-soft">
                {t('fewMore', { count: missing })}
              </p>
            ) : (
              <Patterns figures={byId} form={form} />
            )}
          </div>
        </>
      )}
      <Also figures={byId} form={form} />
      <Statuses figure={byId.get('by_status')} />
      <ReadingDays figures={byId} />
      <ReadingHours figure={byId.get('by_hour')} />
    </>
  )
}

type ById = ReadonlyMap<FigureId, Figure>

/** Links to each year, the latest first. */
function Years({ shown, form }: { shown: readonly string[]; form: StatisticsForm }) {
  const { year = '' } = form
  const { username } = useProfile().profile
  const years = new Set([...shown.toReversed(), ...(year ? [year] : [])])
  if (years.size === 0) return null
  return (
    <NavTabs label={t('years')} className="mb-6">
      <NavTab current={year === ''}>
        <Link to={statisticsPath(username, { ...form, year: undefined })}>{t('allTime')}</Link>
      </NavTab>
      {[...years].map((one) => (
        <NavTab key={one} current={one === year}>
          <Link to={statisticsPath(username, { ...form, year: one })}>{one}</Link>
        </NavTab>
      ))}
    </NavTabs>
  )
}

function Totals({ figures }: { figures: ById }) {
  const value = (id: FigureId) => figures.get(id)?.value ?? 0
  const [minutes, rating] = [value('minutes'), value('average_rating')]
  const perBook = Math.round(value('average_pages'))
  return (
    <FigureSection title={t('books')} how={t('howTotals')} className="border-t-0 pt-0">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3 xl:grid-cols-6">
        <Stat label={t('books')} value={value('books')} />
        <Stat label={t('differentBooks')} value={value('different_books')} />
        {value('pages') > 0 ? <Stat label={t('pages')} value={value('pages')} /> : null}
        {minutes > 0 ? <Stat label={t('hours')} value={hours(minutes)} /> : null}
        {rating > 0 ? (
          <Stat label={t('averageRating')} value={<AverageRating rating={rating} />} />
        ) : null}
        {perBook > 0 ? <Stat label={t('averageLength')} value={perBook} /> : null}
      </dl>
    </FigureSection>
  )
}

const hours = (minutes: number) =>
  formatNumber(minutes / 60, { maximumFractionDigits: minutes < 600 ? 1 : 0 })

/** The books of each month of a year, or of each year, with their pages and hours. */
function Periods({ figures, form }: { figures: ById; form: StatisticsForm }) {
  const { year } = form
  const pages = valuesOf(figures.get('pages'))
  const minutes = valuesOf(figures.get('minutes'))
  const more = (key: string) =>
    [
      pages.get(key) ? t('pagesShort', { count: pages.get(key)! }) : '',
      minutes.get(key) ? t('hoursShort', { hours: hours(minutes.get(key)!) }) : '',
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <FigureSection
      title={year ? t('byMonth') : t('byYear')}
      how={year ? t('howMonths') : t('howYears')}
    >
      <Bars
        figures={figures}
        id={year ? 'by_month' : 'by_year'}
        by="period"
        form={form}
        more={more}
        title={year ? t('byMonth') : t('byYear')}
      />
    </FigureSection>
  )
}

const valuesOf = (figure: Figure | undefined) =>
  new Map(figure?.parts.map(({ key, value }) => [key, value]))

/** How the books differ. */
function Patterns({ figures, form }: { figures: ById; form: StatisticsForm }) {
  const newAuthors = figures.get('new_authors')?.value
  const charts = [
    { id: 'by_rating', by: 'rating', title: t('ratings'), how: t('howRatings') },
    { id: 'by_genre', by: 'genre', title: t('genres'), how: t('howGenres') },
    { id: 'by_author', by: 'author', title: t('authors'), how: t('howAuthors') },
    { id: 'by_length', by: 'length', title: t('lengths'), how: t('howLengths') },
    { id: 'by_format', by: 'format', title: t('formats'), how: t('howFormats') },
    { id: 'by_language', by: 'language', title: t('languages'), how: t('howLanguages') },
    { id: 'by_published', by: 'published', title: t('publishedYears'), how: t('howPublished') },
  ] as const
  return charts
    .filter(({ id }) => figures.get(id)?.parts.some(({ key }) => key !== unknownPart))
    .map(({ id, by, title, how }) => (
      <FigureSection
        key={id}
        title={title}
        how={how}
        note={
          by === 'author' && newAuthors !== undefined
            ? t('newAuthors', { count: newAuthors })
            : undefined
        }
      >
        <Bars figures={figures} id={id} by={by} form={form} title={title} />
      </FigureSection>
    ))
}

function Bars(props: {
  figures: ById
  id: FigureId
  by: ReadingPart
  form: StatisticsForm
  title: string
  more?: (key: string) => string
}) {
  const { figures, id, by, form, title, more } = props
  const { year = '' } = form
  const { profile } = useProfile()
  const scale = useRatingScale()
  const parts = figures.get(id)?.parts ?? []
  const shown = shownParts(by, parts, year)
  const rows = shown.map(({ key, value }) => {
    const selection = { ...form, by, key }
    const label = by === 'period' && year ? monthLabel(key) : partLabel(selection, scale)
    const to = value > 0 ? readingsPath(profile.username, selection) : undefined
    return { key, value, label, to, more: more?.(key) }
  })
  return <FigureTable caption={title} rows={rows} />
}

type Parts = Figure['parts']

/**
 * The most read names, the best ratings first, and every month from the first to the last one with a
 * book.
 */
function shownParts(by: ReadingPart, parts: Parts, year: string): Parts {
  if (by === 'genre' || by === 'author') return parts.slice(0, shownNames)
  const known = parts.filter(({ key }) => key !== unknownPart)
  const unknown = parts.filter(({ key }) => key === unknownPart)
  if (by === 'rating') return [...known.toReversed(), ...unknown]
  if (by !== 'period' || !year) return parts
  const [first = 1, last = 0] = [known[0], known.at(-1)].flatMap((part) =>
    part ? Number(part.key.slice(5)) : [],
  )
  const months = Array.from({ length: last - first + 1 }, (_, month) => {
    const key = `${year}-${String(first + month).padStart(2, '0')}`
    return known.find((part) => part.key === key) ?? { key, value: 0, filter: '' }
  })
  return [...months, ...unknown]
}

/** @returns "January" of `2026-01` */
function monthLabel(key: string): string {
  if (key === unknownPart) return t('monthUnknown')
  return formatDate(new Date(`${key}-01T00:00:00Z`), { month: 'long', timeZone: 'UTC' })
}

/** Rereads and abandoned books, which no other figure counts. */
function Also({ figures, form }: { figures: ById; form: StatisticsForm }) {
  const { profile } = useProfile()
  const scale = useRatingScale()
  const rows = (['reread', 'dropped'] as const).flatMap((by) => {
    const value = figures.get(by === 'reread' ? 'rereads' : 'dropped')?.value ?? 0
    if (value === 0) return []
    const selection = { ...form, by, key: '' }
    const to = readingsPath(profile.username, selection)
    return { key: by, value, label: partLabel(selection, scale), to }
  })
  if (rows.length === 0) return null
  const droppedPages = figures.get('dropped_pages')?.value
  return (
    <FigureSection
      title={t('alsoRead')}
      note={droppedPages ? t('droppedPages', { count: droppedPages }) : undefined}
      how={t('howAlso')}
    >
      <FigureTable
        caption={t('alsoRead')}
        rows={rows}
        of={Math.max(figures.get('books')?.value ?? 0, ...rows.map(({ value }) => value))}
      />
    </FigureSection>
  )
}

/** The status that books have now; each leads to those in the list of books. */
function Statuses({ figure }: { figure: Figure | undefined }) {
  const { profile } = useProfile()
  if (!figure?.parts.length) return null
  const rows = statuses.flatMap((status) => {
    const value = figure.parts.find(({ key }) => key === status)?.value
    const to = `/u/${profile.username}/books?status=${status}`
    return value ? [{ key: status, value, label: statusLabel(status), to }] : []
  })
  return (
    <FigureSection title={t('statuses')} how={t('howStatuses')}>
      <FigureTable caption={t('statuses')} rows={rows} />
    </FigureSection>
  )
}

/** From the progress that only its reader sees. */
function ReadingDays({ figures }: { figures: ById }) {
  const daysOff = Number(useSession()?.settings?.streak_days_off ?? 0)
  const value = (id: FigureId) => figures.get(id)?.value
  const days = value('days_read')
  if (!days) return null
  return (
    <FigureSection
      title={t('readingDays')}
      note={daysOff > 0 ? t('daysOff', { count: daysOff }) : undefined}
      how={t('howDays')}
    >
      <StatList>
        <Stat label={t('daysRead')} value={days} />
        <Stat label={t('pagesLogged')} value={value('pages_logged')} />
        {value('minutes_logged') ? (
          <Stat label={t('hoursLogged')} value={hours(value('minutes_logged')!)} />
        ) : null}
        <Stat label={t('longestStreak')} value={value('longest_streak')} />
        {value('current_streak') ? (
          <Stat label={t('currentStreak')} value={value('current_streak')} />
        ) : null}
      </StatList>
    </FigureSection>
  )
}

/** Reading by hour of the day, from devices that report it. */
function ReadingHours({ figure }: { figure: Figure | undefined }) {
  if (!figure?.parts.length) return null
  const bars = figure.parts.map(({ key, value }) => ({
    hour: Number(key),
    value,
    text: t('hoursShort', { hours: hours(value) }),
  }))
  const most = bars.reduce((first, one) => (one.value > first.value ? one : first))
  return (
    <FigureSection
      title={t('readingHours')}
      note={t('mostAtHour', { hour: hourLabel(most.hour) })}
      how={t('howHours')}
    >
      <HourChart caption={t('readingHours')} bars={bars} />
    </FigureSection>
  )
}
