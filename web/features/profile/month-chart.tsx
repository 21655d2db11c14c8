import { Link } from 'react-router'
import type { FinishedMonth } from '#shared/finished-month.ts'
import { formatDate, formatNumber } from '#web/i18n/format.ts'
import { t } from '#web/i18n/profile.ts'
import { classNames } from '#web/ui/class-names.ts'
import { TextLink } from '#web/ui/link.tsx'

/**
 * The books of a reader's months as bars beside each other, the last one marked, with a table for
 * those who don't see them.
 */
export function MonthChart(props: { username: string; months: readonly FinishedMonth[] }) {
  const { username, months } = props
  const most = Math.max(...months.map(({ books }) => books))
  const current = months.at(-1)?.month
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <p aria-hidden className="text-ink-soft">
          {t('monthChart')}
        </p>
        <TextLink asChild>
          <Link to={`/u/${username}/stats`} className="-my-3 py-3">
            {t('monthChartStats')}
          </Link>
        </TextLink>
      </div>
      <table className="sr-only">
        <caption>{t('monthChart')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('month')}</th>
            <th scope="col">{t('finishedBooks')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, books }) => (
            <tr key={month}>
              <th scope="row">{monthLabel(month, { month: 'long', year: 'numeric' })}</th>
              <td>{formatNumber(books)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol aria-hidden className="mt-2 flex gap-1 text-center text-xs">
        {months.map(({ month, books }) => {
          const isCurrent = month === current
          return (
            <li
              key={month}
              className={classNames('min-w-0 flex-1', isCurrent ? 'text-rubric' : 'text-ink-soft')}
            >
              <div className="flex h-20 flex-col justify-end border-b border-line tabular-nums">
                {books > 0 ? (
                  <>
                    <span className={isCurrent ? 'font-medium' : 'text-ink'}>
                      {formatNumber(books)}
                    </span>
                    <span
                      className={classNames(
                        'mt-0.5 rounded-t-xs',
                        isCurrent ? 'bg-rubric' : 'bg-line-strong',
                      )}
                      style={{ height: `${(75 * books) / most}%` }}
                    />
                  </>
                ) : null}
              </div>
              <span className={classNames('mt-1 block', isCurrent && 'font-medium')}>
                <span className="sm:hidden">{monthLabel(month, { month: 'narrow' })}</span>
                <span className="max-sm:hidden">{monthLabel(month, { month: 'short' })}</span>
              </span>
              {month.endsWith('-01') ? (
                <span className="-mx-2 block whitespace-nowrap">{month.slice(0, 4)}</span>
              ) : null}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const monthLabel = (month: string, form: Intl.DateTimeFormatOptions) =>
  formatDate(new Date(`${month}-01`), { ...form, timeZone: 'UTC' })
