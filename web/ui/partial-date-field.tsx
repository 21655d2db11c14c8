import { useId, type ComponentProps } from 'react'
import { westernDigits } from '#shared/digits.ts'
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

interface DateText {
  label: string
  hint?: string
  error?: string | undefined
}

/**
 * A day, a month or a year: whoever isn't sure of the day leaves it out.
 *
 * @param props.value as it is typed; {@link partialDateOf} makes a date of it
 */
export function PartialDateField(
  props: DateText & { value: DateParts; onChange: (value: DateParts) => void },
) {
  const { value, onChange, ...text } = props
  const change = (part: Partial<DateParts>) => onChange({ ...value, ...part })
  return (
    <DatePartInputs
      {...text}
      day={useDigitsInput(value.day, (day) => change({ day }), 2)}
      month={{
        value: value.month,
        onChange: (event) => change({ month: event.currentTarget.value }),
      }}
      year={useDigitsInput(value.year, (year) => change({ year }), 4)}
    />
  )
}

/** The same in a form that is sent without scripts, with the fields `day`, `month` and `year`. */
export function PartialDateInputs({
  defaultValue,
  ...text
}: DateText & { defaultValue: DateParts }) {
  const digits = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <DatePartInputs
      {...text}
      day={{ ...digits, name: 'day', defaultValue: defaultValue.day }}
      month={{ name: 'month', defaultValue: defaultValue.month }}
      year={{ ...digits, name: 'year', defaultValue: defaultValue.year }}
    />
  )
}

/** @returns the date that {@link PartialDateInputs} sent, as typed, in digits of any script */
export function sentDate(form: Readonly<Record<string, string>>): DateParts {
  const { day = '', month = '', year = '' } = form
  return { day: westernDigits(day), month, year: westernDigits(year) }
}

function DatePartInputs(
  props: DateText & {
    day: ComponentProps<'input'>
    month: ComponentProps<'select'>
    year: ComponentProps<'input'>
  },
) {
  const { label, hint, error, day, month, year } = props
  const note = useId()
  const state = { 'aria-describedby': note, 'aria-invalid': error ? (true as const) : undefined }
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-[4rem_minmax(0,1fr)_5.5rem] gap-2">
        <input
          {...state}
          {...day}
          aria-label={t('dayOf', { label })}
          placeholder={t('day')}
          className={classNames(controlClass, 'tabular-nums')}
        />
        <Select {...state} {...month} aria-label={t('monthOf', { label })}>
          <option value="">{t('month')}</option>
          {monthOptions().map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </Select>
        <input
          {...state}
          {...year}
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
