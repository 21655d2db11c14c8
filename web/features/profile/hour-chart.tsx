import { classNames } from '#web/ui/class-names.ts'
import { formatDate } from '#web/i18n/format.ts'
import { t } from '#web/i18n/statistics.ts'

/** An hour of the day, and what is shown of it. */
export interface HourBar {
  hour: number
  value: number
  /** The value as it is read out. */
  text: string
}

/** Every how many hours one is named. */
const named = 6

/** The hours of a day as bars beside each other, with a table for those who don't see them. */
export function HourChart({ caption, bars }: { caption: string; bars: readonly HourBar[] }) {
  const longest = Math.max(...bars.map(({ value }) => value))
  const most = bars.find(({ value }) => value === longest)
  return (
    <>
      <table className="sr-only">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('hourOfDay')}</th>
            <th scope="col">{t('hoursLogged')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ hour, text }) => (
            <tr key={hour}>
              <th scope="row">{hourLabel(hour)}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div aria-hidden className="flex h-24 items-end gap-0.5 border-b border-line">
        {bars.map(({ hour, value }) => (
          <span
            key={hour}
            className={classNames(
              'min-w-0 flex-1 rounded-t-xs',
              hour === most?.hour ? 'bg-rubric' : 'bg-line-strong',
            )}
            style={{ height: `${(100 * value) / longest}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="mt-1 flex text-xs text-ink-soft tabular-nums">
        {bars
          .filter(({ hour }) => hour % named === 0)
          .map(({ hour }) => (
            <span key={hour} className="min-w-0 flex-1">
              {hourLabel(hour)}
            </span>
          ))}
      </div>
    </>
  )
}

/** @returns "9 PM" of 21 */
export const hourLabel = (hour: number): string =>
  formatDate(new Date(Date.UTC(2000, 0, 1, hour)), { hour: 'numeric', timeZone: 'UTC' })
