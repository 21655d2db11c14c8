import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import {
  absentVolumes,
  comparePlaces,
  inRanges,
  isVolume,
  nextOf,
  seriesPath,
  volumesOf,
  type BookSeries,
  type OwnSeriesBooks,
  type SeriesBooks,
} from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { ownInSeriesQuery, seriesQuery } from '#web/api/series.ts'
import { useSession } from '#web/api/session.ts'
import {
  OwnedRecords,
  ownRecords,
  ownRecordsOf,
  useOwnedBooks,
} from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Section, shelfClass } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { formatNumber, withCommas } from '#web/i18n/format.ts'
import { BookCard, bookPath } from './book-card.tsx'

/** The ids of the reader's records of a series, by the books' keys. */
export function useOwnRecords({ series, entries }: SeriesBooks): ReadonlyMap<string, string> {
  const user = useSession()?.user.id ?? ''
  const { data } = useQuery(ownInSeriesQuery(useApi(), user, series.id))
  return useMemo(() => ownRecords(entries, data), [entries, data])
}

/** The same as one row, of the volumes alone if there are any. */
export function SeriesShelf({ found }: { found: OwnSeriesBooks }) {
  const volumes = found.entries.filter(({ position }) => isVolume(position))
  const entries = volumes.length > 0 ? volumes : found.entries
  const records = useMemo(() => ownRecordsOf(found), [found])
  return (
    <OwnedRecords records={records}>
      <OwnPart found={{ ...found, entries }} />
      <Entries label={found.series.name} entries={entries} className={shelfClass} />
    </OwnedRecords>
  )
}

/** Two rows of the widest grid. */
const maxInRow = 12
/** At most this many of them come before the book. */
const maxBefore = 5

/** A part of a book's series, around the book. */
export function SeriesRow({ book }: { book: Book }) {
  const [series] = book.series ?? []
  const { data } = useQuery({
    ...seriesQuery(useApi(), series?.id ?? ''),
    enabled: series !== undefined,
  })
  if (!data || data.entries.length < 2) return null
  return <SeriesAround place={series?.position ?? ''} found={data} />
}

function SeriesAround({ place, found }: { place: string; found: SeriesBooks }) {
  const records = useOwnRecords(found)
  const { length } = found.entries
  const at = found.entries.findIndex(({ position }) => position === place)
  const start = Math.max(0, Math.min(at - maxBefore, length - maxInRow))
  const entries = found.entries.slice(start, start + maxInRow)
  const all = (
    <TextLink asChild tone="ink" className="text-sm">
      <Link to={seriesPath(found.series)}>{t('allBooksOf', { count: formatNumber(length) })}</Link>
    </TextLink>
  )
  return (
    <Section title={t('inThisSeries')} aside={length > maxInRow && all} className="mt-12">
      <OwnedRecords records={records}>
        <Entries label={t('inThisSeries')} entries={entries} className={shelfClass} />
      </OwnedRecords>
    </Section>
  )
}

/** A book's number in its series, as a link to the series. */
export function SeriesLine({ series }: { series: BookSeries }) {
  const { data } = useQuery(seriesQuery(useApi(), series.id))
  const count = data ? volumesOf(data) : 0
  const { name, position } = series
  return (
    <p dir="auto" className="text-match-parent text-ink-soft">
      <Link to={seriesPath(series)} className="rounded-cover underline-offset-4 hover:underline">
        {count > 1 && isVolume(position)
          ? t('bookInSeries', { series: name, position, count: formatNumber(count) })
          : t('partOfSeries', { series: name })}
      </Link>
    </p>
  )
}

export function Entries(props: {
  label: string
  entries: SeriesBooks['entries']
  className: string
}) {
  const { label, entries, className } = props
  const ownOf = useOwnedBooks()
  const isBegun = entries.some(({ book }) => ownOf(book))
  return (
    <ul aria-label={label} className={className}>
      {entries.map(({ position, book }, place) => (
        <li key={book.id} className="grid">
          <BookCard
            book={book}
            priority={place < 6}
            isMissing={isBegun && isVolume(position) && !ownOf(book)}
            footer={<p className="text-xs text-ink-soft">{placeText(position)}</p>}
          />
        </li>
      ))}
    </ul>
  )
}

const placeText = (position: string) =>
  isVolume(position) ? t('bookNumber', { position }) : position

/**
 * Which books of a series the reader has and which are missing, those that the catalogue lacks too.
 *
 * @param props.end made of the missing ones; by default the link to what comes next
 */
export function OwnPart(props: {
  found: SeriesBooks
  end?: (missing: readonly Book[]) => ReactNode
}) {
  const { found, end } = props
  const ownOf = useOwnedBooks()
  const isReader = useSession() !== null
  const volumes = found.entries.filter(({ position }) => isVolume(position))
  if (!isReader || volumes.length < 2) return null
  const missing = volumes.filter(({ book }) => !ownOf(book))
  if (missing.length === volumes.length) return null
  const owned = formatNumber(volumes.length - missing.length)
  const absent = absentVolumes(found)
  const positions = [...missing.map(({ position }) => position), ...absent].toSorted(comparePlaces)
  const count = formatNumber(volumes.length + absent.length)
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2">
      <span>{t('seriesOwned', { owned, count })}</span>
      {positions.length > 0 ? (
        <span className="text-ink-soft">
          {t('seriesMissing', { positions: withCommas(inRanges(positions)) })}
        </span>
      ) : null}
      {end ? end(missing.map(({ book }) => book)) : <NextLink found={found} />}
    </div>
  )
}

function NextLink({ found }: { found: SeriesBooks }) {
  const ownOf = useOwnedBooks()
  const next = nextOf(found, (book) => ownOf(book)?.status === 'completed')
  const path = next && bookPath(next.book)
  if (!path) return null
  return (
    <Link to={path} className="rounded-cover font-medium underline underline-offset-4">
      {t('nextInSeries', { title: next.book.title })}
    </Link>
  )
}
