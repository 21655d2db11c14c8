import { useId } from 'react'
import {
  dateOfParts,
  isPartialDate,
  type DateParts,
  type PartialDate,
} from '#shared/partial-date.ts'
import { t } from '#web/i18n/library.ts'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { useDigitsInput } from './digits-input.ts'
import { Select } from './select.tsx'
import { formatDate } from '#web/i18n/format.ts'

const monthOptions = () =>
  Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1).padStart(2, '0'),
    label: formatDate(new Date(Date.UTC(2000, month)), { month: 'long', timeZone: 'UTC' }),
  }))

/**
 * A day, a month or a year: whoever isn't sure of the day leaves it out.
 *
 * @param props.value as it is typed; {@link partialDateOf} makes a date of it
 */
export function PartialDateField(props: {
  label: string
  value: DateParts
  onChange: (value: DateParts) => void
  hint?: string
  error?: string | undefined
}) {
  const { label, value, onChange, hint, error } = props
  const note = useId()
  const change = (part: Partial<DateParts>) => onChange({ ...value, ...part })
  const state = { 'aria-describedby': note, 'aria-invalid': error ? (true as const) : undefined }
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-[4rem_minmax(0,1fr)_5.5rem] gap-2">
        <input
          {...state}
          {...useDigitsInput(value.day, (day) => change({ day }), 2)}
          aria-label={t('dayOf', { label })}
          placeholder={t('day')}
          className={classNames(controlClass, 'tabular-nums')}
        />
        <Select
          {...state}
          aria-label={t('monthOf', { label })}
          value={value.month}
          onChange={(event) => change({ month: event.currentTarget.value })}
        >
          <option value="">{t('month')}</option>
          {monthOptions().map((month) => (
            <option key={month.value} value={month.value}>
              {month.label}
            </option>
          ))}
        </Select>
        <input
          {...state}
          {...useDigitsInput(value.year, (year) => change({ year }), 4)}
          aria-label={t('yearOf', { label })}
          placeholder={t('year')}
          className={classNames(controlClass, 'tabular-nums')}
        />
      </div>
      <p
        id={note}
        aria-live="polite"
        className={classNames(
          'min-h-5 pt-1.5 text-sm',
          error ? 'font-medium text-danger' : 'text-ink-soft',
        )}
      >
        {error === undefined ? hint : error}
      </p>
    </fieldset>
  )
}

/** @returns the typed date, or null if it is invalid */
export function partialDateOf(parts: DateParts): PartialDate | null {
  const date = dateOfParts(parts)
  return isPartialDate(date) ? date : null
}
