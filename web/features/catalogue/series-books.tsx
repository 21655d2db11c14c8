import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import {
  isVolume,
  seriesPath,
  volumesOf,
  type BookSeries,
  type SeriesBooks,
} from '#shared/series.ts'
import { useApi } from '#web/api/context.ts'
import { ownInSeriesQuery, seriesQuery } from '#web/api/series.ts'
import { useSession } from '#web/api/session.ts'
import {
  OwnedRecords,
  ownRecords,
  useOwnedBooks,
} from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { BookCard } from './book-card.tsx'

/** The ids of the reader's records of a series, by the books' keys. */
export function useOwnRecords({ series, entries }: SeriesBooks): ReadonlyMap<string, string> {
  const user = useSession()?.user.id ?? ''
  const { data } = useQuery(ownInSeriesQuery(useApi(), user, series.id))
  return useMemo(() => ownRecords(entries, data), [entries, data])
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
        <Entries label={t('inThisSeries')} entries={entries} className="cover-row" />
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
        <li key={book.id} data-place={book.id} className="grid">
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
