import { isolated } from '#shared/direction.ts'
import type { Language } from '#shared/language.ts'
import { currentDirection, currentLanguage } from './language.ts'
import { serverNow } from './server-clock.ts'

/** Formatters are cached because they are expensive to create. */
const formatters = new Map<string, unknown>()

function cached<Options extends object, Formatter>(
  Kind: new (language: string, options: Options) => Formatter,
  options: Options,
): Formatter {
  const language = currentLanguage()
  const key = `${Kind.name} ${language} ${JSON.stringify(options)}`
  const known = formatters.get(key) as Formatter | undefined
  if (known) return known
  const made = new Kind(language, options)
  formatters.set(key, made)
  return made
}

/** @returns "1,234"; "50%" and "$5" with the options for it */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return cached(Intl.NumberFormat, options).format(value)
}

/** @returns "40%" for 40 */
export function formatPercent(percent: number): string {
  return formatNumber(percent / 100, { style: 'percent' })
}

/** Whole US dollars, as an option of {@link formatNumber}. */
export const dollars = {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
} as const

/**
 * @returns "Jan 31, 2026", the language's date of medium length, or as the options say; in the zone
 *   of the machine unless they say
 */
export function formatDate(
  date: Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
): string {
  return cached(Intl.DateTimeFormat, options).format(date)
}

/**
 * The day of a moment in figures, for the timeline; other dates are {@link formatDate}'s.
 *
 * @param timeZone the machine's unless given
 * @returns 31-01-2026 in English, elsewhere as the language writes it
 */
export function formatDay(moment: Date, timeZone?: string): string {
  const options = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone && { timeZone }),
  } as const
  const format = cached(Intl.DateTimeFormat, options)
  if (currentLanguage() !== 'en') return format.format(moment)
  const parts = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, value]),
  )
  return `${parts['day']}-${parts['month']}-${parts['year']}`
}

/** @returns "one, two, and three"; "one, two, or three" with the option for it */
export function formatList(items: Iterable<string>, options: Intl.ListFormatOptions = {}): string {
  const apart = Array.from(items, (item) => isolated(item, currentDirection()))
  return cached(Intl.ListFormat, options).format(apart)
}

/** Languages whose comma isn't ", ". */
const commas: Partial<Record<Language, string>> = { ja: '、', ar: '، ' }

/** @returns the separator of items in a row: ", " in most languages */
export const comma = (): string => commas[currentLanguage()] ?? ', '

/** @returns "Terry Pratchett, Neil Gaiman": items side by side, without an "and" */
export const withCommas = (items: readonly string[]): string => items.join(comma())

/** @returns what separates two sentences: a space, or nothing in Japanese */
export const sentenceSpace = (): string => (currentLanguage() === 'ja' ? '' : ' ')

/** @returns "Germany" for DE */
export function formatCountry(code: string): string {
  return cached(Intl.DisplayNames, { type: 'region' }).of(code) ?? code
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Each unit in milliseconds, and from when on it is used. */
const units: readonly [unit: Intl.RelativeTimeFormatUnit, length: number][] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', 1000],
]

/**
 * @param now milliseconds, by the server's clock
 * @returns "3 hours ago" or "yesterday", in the largest unit that fits; "now" of what is yet to come,
 *   as the clock of a device may be slow
 */
export function formatAgo(moment: Date, now = serverNow()): string {
  const passed = Math.max(0, now - moment.getTime())
  const [unit, length] = units.find((one) => passed >= one[1]) ?? ['second', 1000]
  const format = cached(Intl.RelativeTimeFormat, { numeric: 'auto' as const })
  const ago = format.format(-Math.round(passed / length), unit)
  // Japanese has no space between a number and its counter.
  return currentLanguage() === 'ja' ? ago.replaceAll(' ', '') : ago
}
