import { Link } from 'react-router'
import { readBookPath } from '#shared/book-path.ts'
import type { DiaryEntry } from '#shared/diary.ts'
import type { Language } from '#shared/language.ts'
import { useProfile } from '#web/api/profile.ts'
import { Cover } from '#web/ui/cover.tsx'
import { formatDate } from '#web/i18n/format.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/profile.ts'

/** The days with which weeks begin, from 0 for Sunday. Not all browsers know them. */
const firstDays: Readonly<Record<Language, number>> = {
  en: 0,
  de: 1,
  fr: 1,
  es: 1,
  'pt-BR': 0,
  ja: 0,
  ar: 6,
}
/** A Sunday. */
const someSunday = Date.UTC(2024, 0, 7)
const dayLength = 24 * 60 * 60 * 1000

/** @returns how many days the month of a date has */
const lastDayOf = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** A month of the diary as a calendar: each book on the day it was finished or given up. */
export function DiaryCalendar(props: {
  /** `YYYY-MM`. */
  month: string
  entries: readonly DiaryEntry[]
}) {
  const { month, entries } = props
  const first = new Date(`${month}-01T00:00:00Z`)
  const last = lastDayOf(first)
  const firstDay = firstDays[currentLanguage()]
  const byDay = Map.groupBy(entries, ({ finished }) => finished.slice(8))
  const undated = byDay.get('') ?? []
  return (
    <>
      <div aria-hidden className="grid grid-cols-7 gap-1 pb-1 text-center text-xs text-ink-soft">
        {Array.from({ length: 7 }, (_, n) => (
          <span key={n}>
            {formatDate(new Date(someSunday + (firstDay + n) * dayLength), {
              weekday: 'short',
              timeZone: 'UTC',
            })}
          </span>
        ))}
      </div>
      <ol className="grid grid-cols-7 gap-1">
        {Array.from({ length: last }, (_, n) => {
          const date = new Date(first.getTime() + n * dayLength)
          const read = byDay.get(String(n + 1).padStart(2, '0')) ?? []
          return (
            <li
              key={n}
              aria-hidden={read.length === 0 || undefined}
              className="min-h-14 min-w-0 rounded-sm border border-line p-1"
              style={
                n === 0 ? { gridColumnStart: ((first.getUTCDay() - firstDay + 7) % 7) + 1 } : {}
              }
            >
              <p className="text-xs text-ink-soft tabular-nums">
                {formatDate(date, { day: 'numeric', timeZone: 'UTC' })}
              </p>
              <Books entries={read} />
            </li>
          )
        })}
      </ol>
      {undated.length > 0 ? (
        <section className="mt-4">
          <h3 className="mb-2 text-sm text-ink-soft">{t('dayUnknown')}</h3>
          <div className="grid grid-cols-7 gap-1">
            <Books entries={undated} />
          </div>
        </section>
      ) : null}
    </>
  )
}

function Books({ entries }: { entries: readonly DiaryEntry[] }) {
  const { username } = useProfile().profile
  return entries.map(({ id, book, outcome }) => {
    const path = readBookPath(username, book)
    const cover = (
      <>
        <Cover title={book.title} author={book.authors[0]} src={book.images} alt="" />
        <span className="sr-only">
          {outcome === 'dropped' ? t('stoppedOn', { day: book.title }) : book.title}
        </span>
      </>
    )
    return (
      <div key={id} data-place={id} className="mx-auto mt-1 w-full max-w-24">
        {path ? (
          <Link to={path} title={book.title} className="block rounded-cover">
            {cover}
          </Link>
        ) : (
          cover
        )}
      </div>
    )
  })
}
