/** A day, a month or a year: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; '' is unknown. */
export type PartialDate = string

const pattern = /^([1-9]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/

/** @returns whether the text is empty, or a valid year, month or day */
export function isPartialDate(text: string): boolean {
  if (text === '') return true
  const [, year, month = '01', day = '01'] = pattern.exec(text) ?? []
  if (!year) return false
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`)
}

/** @returns the year that two digits stand for: the latest one that is at most a year from now */
export function fullYear(digits: number): number {
  const latest = new Date().getFullYear() + 1
  return latest - ((((latest - digits) % 100) + 100) % 100)
}

/** @returns whether the first date is certainly after the second */
export function isAfter(first: PartialDate, second: PartialDate): boolean {
  const known = Math.min(first.length, second.length)
  return first.slice(0, known) > second.slice(0, known)
}

/** @returns whether the text is a time zone that this machine knows, such as `Europe/Berlin` */
export function isTimeZone(name: string): boolean {
  return dayFormat(name) !== null
}

/** A cache, as creating a format takes longer than writing a record. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()
/** The size of the cache, as clients choose the zones, in any case. */
const formatsAtMost = 100

/** @returns null for a zone that this machine doesn't know */
function dayFormat(timeZone: string): Intl.DateTimeFormat | null {
  const known = dayFormats.get(timeZone)
  if (known) return known
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(timeZone)) return null
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    })
    if (dayFormats.size < formatsAtMost) dayFormats.set(timeZone, made)
    return made
  } catch {
    return null
  }
}

/** The hours at which a reader's day can end; the first, midnight, is the default. */
export const dayEnds = ['0', '1', '2', '3', '4', '5', '6'] as const

/**
 * The current day in a time zone.
 *
 * @param timeZone an IANA name; UTC where it is empty or unknown
 * @param end the hour of the clock at which a day ends, one of {@link dayEnds}
 * @returns `YYYY-MM-DD`
 */
export function dayIn(timeZone: string, now: Date, end = 0): PartialDate {
  const format = dayFormat(timeZone) ?? dayFormat('UTC')!
  const parts = format.formatToParts(now)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  return Number(part('hour')) < end ? daysAfter(day, -1) : day
}

const dayLength = 24 * 60 * 60 * 1000

/** @returns the day so many days after another; before it if `count` is negative */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10)
}

/** @returns how many days the second day is after the first */
export function daysUntil(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / dayLength
}

/** The parts of a partial date, as typed. */
export interface DateParts {
  year: string
  /** `01` to `12`, or ''. */
  month: string
  day: string
}

/** @returns the parts of a date; unknown ones are '' */
export function datePartsOf(date: PartialDate): DateParts {
  const [year = '', month = '', day = ''] = date.split('-')
  return { year, month, day: day.replace(/^0/, '') }
}

/** @returns the date of the parts; invalid for {@link isPartialDate} if a middle part is missing */
export function dateOfParts({ year, month, day }: DateParts): PartialDate {
  const parts = [year.trim(), month, day.trim().padStart(day.trim() ? 2 : 0, '0')]
  while (parts.at(-1) === '') parts.pop()
  return parts.join('-')
}

/** @returns "2009", "May 2009" or "May 23, 2009"; '' for an unknown date */
export function partialDateText(date: PartialDate, locale: string): string {
  if (!date || !isPartialDate(date)) return date
  const known: Intl.DateTimeFormatOptions =
    date.length > 7
      ? { dateStyle: 'medium' }
      : { year: 'numeric', ...(date.length > 4 && { month: 'long' }) }
  const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...known })
  return format.format(new Date(`${date}${'-01-01'.slice(date.length - 4)}T00:00:00Z`))
}
