import type { SampleLibrary } from '#shared/sample-library.ts'
import { formatDate, formatList, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/landing.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Cover } from '#web/ui/cover.tsx'
import { Container } from '#web/ui/page-shell.tsx'
import { CoverLink } from './cover-link.tsx'

/** The most titles that are named. */
const maxBest = 7

/** The year of the reader whose sample file was imported. */
export function SampleYear({ sample }: { sample: SampleLibrary }) {
  const { year, books, pages, months, finished, best } = sample
  return (
    <section aria-labelledby="year" className="border-t border-line py-12 md:py-16">
      <Container className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_34rem] lg:gap-16">
        <div className="grid content-start gap-4">
          <h2 id="year" className="text-2xl md:text-3xl">
            {t('seeYourYear')}
          </h2>
          <p className="max-w-prose text-ink-soft">{t('seeYourYearText')}</p>
          <div className="mt-4 grid gap-2">
            <p className="flex flex-wrap items-center gap-3">
              <span className="font-serif text-3xl">{year}</span>
              <span className="text-sm text-ink-soft">{t('sampleReader')}</span>
            </p>
            <p className="font-serif text-lg">{t('booksAndPages', { books, pages })}</p>
            {best.length > 0 && best.length <= maxBest ? (
              <p className="text-sm text-ink-soft">{t('topMarks', { titles: formatList(best) })}</p>
            ) : null}
          </div>
          <Months year={year} counts={months} />
        </div>
        <ul className="grid grid-cols-5 content-start gap-2 sm:grid-cols-7 sm:gap-3">
          {finished.map(({ title, author, cover, pages: length, slug }) => (
            <li key={slug || title}>
              {slug ? (
                <CoverLink
                  book={{
                    title,
                    author,
                    cover,
                    pages: length,
                    href: `/book/${slug}`,
                  }}
                />
              ) : (
                <Cover title={title} author={author} src={cover} />
              )}
            </li>
          ))}
        </ul>
      </Container>
    </section>
  )
}

/** Columns as high as the months' numbers of books. */
function Months({ year, counts }: { year: string; counts: readonly number[] }) {
  const most = Math.max(...counts, 1)
  return (
    <ol aria-label={t('booksByMonth')} className="mt-4 flex h-32 items-end gap-1">
      {counts.map((count, place) => {
        const month = new Date(Date.UTC(Number(year), place))
        return (
          <li key={month.getTime()} className="flex h-full flex-1 flex-col justify-end text-center">
            <span className="sr-only">
              {t('booksInMonth', {
                count,
                month: formatDate(month, { month: 'long', timeZone: 'UTC' }),
              })}
            </span>
            <span aria-hidden className="font-serif text-sm tabular-nums">
              {formatNumber(count)}
            </span>
            <span
              aria-hidden
              className={classNames(
                'rounded-t-cover',
                count === most ? 'bg-rubric' : 'bg-line-strong',
              )}
              style={{ height: `${(count / most) * 70}%` }}
            />
            <span aria-hidden className="text-xs text-ink-soft">
              {formatDate(month, { month: 'narrow', timeZone: 'UTC' })}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
