import { westernDigits } from '#shared/digits.ts'
import type { DateOrder } from '#shared/import.ts'
import { languages } from '#shared/language.ts'
import { fullYear } from '#shared/partial-date.ts'
import { foldText } from '#shared/text.ts'

/** What of a date couldn't be used, or was read as something else. */
export type DateProblem =
  | 'dateUnread'
  | 'dateShortened'
  | 'dateYearOnly'
  | 'dateSerial'
  | 'dateReplaced'

interface ReadDate {
  /** YYYY, YYYY-MM or YYYY-MM-DD; '' for none. */
  date: string
  problem?: DateProblem
  /** Whether it depends on the order of day and month, which isn't known. */
  isAmbiguous?: true
}

/** Two numbers that may each be the day or the month, and a year: 3/4/2024, 3.4.24. */
const numeric = /^(\d{1,2})\s?[/.-]\s?(\d{1,2})\s?[/.-]\s?(\d{4}|\d{2})(?!\d)(.*)$/
const yearFirst =
  /^(\d{4})(?:\s?[-/.年]\s?(\d{1,2})(?:\s?[-/.月]\s?(\d{1,2})日?)?月?|年)?([T ,(].*)?$/
/** A month and a year: 3/2024. */
const monthFirst = /^(\d{1,2})\s?[/.-]\s?(\d{4})$/
/** What may follow a day: the time, or words such as the weekday, but not another date. */
const afterDay = /^(?:[T ,]+\d{1,2}:\d\d.*|\D*)$/
const compact = /^(\d{4})(\d\d)(\d\d)$/
/** A spreadsheet's day number, with the time of day as its fraction. */
const serial = /^(\d{5})(?:[.,]\d+)?$/
/** The day 0 of spreadsheets, and the numbers for 1950 to 2050. */
const [dayZero, serialFrom, serialTo] = [Date.UTC(1899, 11, 30), 18_264, 54_788]

/** Characters of a date; a longer text isn't one. */
const dateAtMost = 100

/** How many ambiguous dates to keep as examples. */
const examples = 5

/** Determines from all of a file's dates whether the day or the month comes first. */
export class DateEvidence {
  readonly #seen = new Set<DateOrder>()
  readonly #ambiguous = new Set<string>()

  add(text: string): void {
    const [, first, second] = numericDate(plainDate(text))?.map(Number) ?? []
    if (first === undefined || second === undefined || first > 31) return
    if (first > 12 && second <= 12) this.#seen.add('dmy')
    else if (second > 12 && first <= 12) this.#seen.add('mdy')
    else if (first !== second && first <= 12 && this.#ambiguous.size < examples)
      this.#ambiguous.add(plainDate(text))
  }

  /** Undefined if no date shows it, or if dates contradict each other. */
  get order(): DateOrder | undefined {
    const [order] = this.#seen
    return this.#seen.size === 1 ? order : undefined
  }

  /** Examples of dates that can be read in two ways. */
  get ambiguous(): string[] {
    return [...this.#ambiguous]
  }
}

/**
 * Parses a date as other trackers, spreadsheets and people write it.
 *
 * @param order whether the day or the month comes first; if undefined, dates that depend on it
 *   aren't parsed
 */
export function readDate(text: string, order?: DateOrder): ReadDate {
  const bare = plainDate(text)
  if (isNoDate(bare)) return { date: '' }
  if (/^#{3,}$/.test(bare)) return { date: '', problem: 'dateReplaced' }
  if (bare.length > dateAtMost) return { date: '', problem: 'dateUnread' }
  const iso = compact.exec(bare) ?? yearFirst.exec(bare)
  if (iso && (iso[3] ? afterDay.test(iso[4] ?? '') : !iso[4])) {
    const [, year, second, third] = iso
    // A day in the place of the month can only be year, day, month.
    return Number(second) > 12 && Number(third) >= 1 && Number(third) <= 12
      ? compose(year, third, second)
      : compose(year, second, third)
  }
  const mixed = numericDate(bare)
  if (mixed) return readNumeric(mixed, order)
  const [, month, yearOfMonth] = monthFirst.exec(bare) ?? []
  if (Number(month) <= 12) return compose(yearOfMonth, month)
  const [, days = 0] = serial.exec(bare)?.map(Number) ?? []
  if (days >= serialFrom && days <= serialTo) {
    const date = new Date(dayZero + days * 86_400_000).toISOString().slice(0, 10)
    return { date, problem: 'dateSerial' }
  }
  return readWords(bare)
}

/** @returns only the date of {@link readDate} */
export const parseDate = (text: string, order?: DateOrder): string => readDate(text, order).date

/** Trims a date and unifies its digits. */
const plainDate = (text: string): string =>
  westernDigits(
    text
      .slice(0, 2 * dateAtMost)
      .trim()
      .replace(/^\[|\]$/g, '')
      .normalize('NFKC'),
  )

function numericDate(text: string): RegExpExecArray | null {
  const found = numeric.exec(text)
  return found && afterDay.test(found[4] ?? '') ? found : null
}

/** Texts that say that there is no date: `-`, `None`, `0000-00-00`. */
const isNoDate = (text: string) =>
  /^(?:[-–—?.]*|n\/?a|none|null|nan|unknown|[0\s:/.-]*)$/i.test(text)

function readNumeric(
  [, first = '', second = '', year = '']: string[],
  order?: DateOrder,
): ReadDate {
  const [a, b] = [Number(first), Number(second)]
  // 98/03/04 has the year first.
  if (a > 31 && year.length === 2) return compose(first, second, year)
  const known = a > 12 ? 'dmy' : b > 12 ? 'mdy' : order
  if (known === undefined && a !== b) return { date: '', isAmbiguous: true }
  return known === 'dmy' ? compose(year, second, first) : compose(year, first, second)
}

/** Languages of Kindles that aren't Octavo's, and that name their months. */
const otherLanguages = ['it', 'nl', 'ru']

/** @returns the months' names and abbreviations, folded, in all of these languages */
function namesOfMonths(): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const language of [...Object.keys(languages), ...otherLanguages])
    for (const month of ['long', 'short'] as const)
      // Beside a day, some languages have another form of the name.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
          month,
          day,
          timeZone: 'UTC',
        })
        for (let at = 0; at < 12; at++) {
          const parts = format.formatToParts(Date.UTC(2020, at, 15))
          const name = foldText(parts.find(({ type }) => type === 'month')?.value ?? '')
          if (/\p{L}/u.test(name)) names.set(name, at + 1)
        }
      }
  return names
}

/** Made for the first date that needs it. */
let months: ReadonlyMap<string, number> | undefined
const english = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function monthOf(word: string): number {
  months ??= namesOfMonths()
  const name = foldText(word)
  return (
    months.get(name) ??
    (name.length > 3 && name.length < 10 ? english.indexOf(name.slice(0, 3)) + 1 : 0)
  )
}

/**
 * Reads a date with the month's name. The day comes before a year of two digits. Of a text without a
 * month, such as “spring 2009”, the year is known.
 */
function readWords(text: string): ReadDate {
  const words = text.split(/[\s,./-]+/).filter(Boolean)
  // The last one, as a weekday such as “mar.” can look like a month.
  const month = words.map(monthOf).findLast((one) => one > 0)
  const numbers = words.flatMap((word) => {
    const number = /^['’]?(\d{1,4})(?:st|nd|rd|th|er|º|ª)?$/i.exec(word)?.[1]
    return number === undefined ? [] : [number]
  })
  const long = numbers.find((one) => one.length === 4)
  const short = numbers.filter((one) => one.length <= 2)
  const year = long ?? short[1]
  // More numbers than a date has are two dates.
  if (year === undefined || numbers.length > 2) return { date: '', problem: 'dateUnread' }
  if (!month && numbers.length === 1) return { ...compose(year), problem: 'dateYearOnly' }
  if (!month || (long && !short.length && numbers.length > 1))
    return { date: '', problem: 'dateUnread' }
  return compose(year, String(month), short[0])
}

/** Drops an impossible part and all parts after it. A part of 0 is unknown. */
function compose(year = '', month = '0', day = '0'): ReadDate {
  const [y, m, d] = [
    year.length === 2 ? fullYear(Number(year)) : Number(year),
    Number(month),
    Number(day),
  ]
  if (!(y >= 1000)) return { date: '', problem: 'dateUnread' }
  const start = String(y)
  if (m === 0) return { date: start }
  if (m > 12) return { date: start, problem: 'dateShortened' }
  const withMonth = `${start}-${String(m).padStart(2, '0')}`
  if (d === 0) return { date: withMonth }
  if (d > new Date(Date.UTC(y, m, 0)).getUTCDate())
    return { date: withMonth, problem: 'dateShortened' }
  return { date: `${withMonth}-${String(d).padStart(2, '0')}` }
}
