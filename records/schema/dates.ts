import type { FieldError } from '../errors.ts'
import type { DateField } from './field.ts'

/** @returns the error if a date is outside its field's range */
export function dateError({ min, max }: DateField, value: string): FieldError | undefined {
  if (min !== undefined && value < min)
    return {
      code: 'validation_min_greater_equal_than_required',
      message: `Must be no less than ${longDate(min)}.`,
      params: { threshold: longDate(min) },
    }
  if (max !== undefined && value > max)
    return {
      code: 'validation_max_less_equal_than_required',
      message: `Must be no greater than ${longDate(max)}.`,
      params: { threshold: longDate(max) },
    }
  return undefined
}

/** Formats a date as PocketBase does in messages: `2020-01-01 00:00:00 +0000 UTC`. */
function longDate(date: string): string {
  return `${date.replace(/\.?0*Z$/, '')} +0000 UTC`
}
