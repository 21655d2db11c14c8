import { FilterError } from './tree.ts'

/** A format cut at its specifiers: `%Y` as `{ specifier: 'Y' }`, all else as it is. */
export type Format = readonly (string | { specifier: Specifier })[]

/** Source: SQLite's documentation of strftime. */
const specifiers = 'deFfGgHIjJklmMpPRsSTuUVwWY'
export type Specifier = string

/** What happens to a moment before it is written. */
export type TimeModifier =
  | { type: 'months'; count: number }
  | { type: 'milliseconds'; count: number }
  | { type: 'start'; of: 'day' | 'month' | 'year' }
  /** On to the next such day, 0 for Sunday; not at all when it is that day. */
  | { type: 'weekday'; day: number }

export interface TimeModifiers {
  /** What a number stands for: days of the Julian calendar, or seconds since 1970. */
  unixepoch: boolean
  steps: readonly TimeModifier[]
}

const dayMs = 86_400_000

/** @throws FilterError for a specifier that SQLite does not know */
export function parseFormat(format: string): Format {
  return format
    .split(/(%[^]?)/)
    .filter(Boolean)
    .map((part) => {
      if (!part.startsWith('%')) return part
      const letter = part.slice(1)
      if (letter === '%') return '%'
      if (letter === '' || !specifiers.includes(letter)) throw new FilterError(`format ${part}`)
      return { specifier: letter }
    })
}

/**
 * The modifiers of SQLite's date functions, but for those that ask for this machine's time zone
 * (`localtime`, `utc`) and the rarer `auto`, `julianday`, `ceiling`, `floor` and `subsec`.
 *
 * @throws FilterError for any other
 */
export function parseModifiers(modifiers: readonly string[]): TimeModifiers {
  const unixepoch = modifiers[0]?.toLowerCase() === 'unixepoch'
  const steps = merged((unixepoch ? modifiers.slice(1) : modifiers).flatMap(stepsOf))
  // Both databases keep to the years they know as long as nobody leaves them.
  const months = sum(steps.map((step) => (step.type === 'months' ? step.count : 0)))
  const days = sum(steps.map((step) => (step.type === 'milliseconds' ? step.count / dayMs : 0)))
  if (months / 12 + days / 365 > 4000) throw new FilterError('modifiers too far')
  return { unixepoch, steps }
}

/** Steps of milliseconds in a row as one: only at its end must a moment be one that is known. */
function merged(steps: readonly TimeModifier[]): TimeModifier[] {
  const found: TimeModifier[] = []
  for (const step of steps) {
    const last = found.at(-1)
    if (step.type !== 'milliseconds' || last?.type !== 'milliseconds') found.push(step)
    else found[found.length - 1] = { type: 'milliseconds', count: last.count + step.count }
  }
  return found
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + Math.abs(count), 0)
}

const amount = /^([+-]?\d{1,12}(?:\.\d{1,9})?) +(day|hour|minute|second|month|year)s?$/
const units: Readonly<Record<string, number>> = {
  day: dayMs,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
}
const clock = String.raw`(\d\d):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?`
const span = new RegExp(`^([+-]?)${clock}$`)
const dates = new RegExp(String.raw`^([+-])(\d{4})-(0\d|1[01])-([0-2]\d|30)(?: ${clock})?$`)

function stepsOf(text: string): TimeModifier[] {
  const modifier = text.trim().toLowerCase()
  const [, count = '', unit = ''] = amount.exec(modifier) ?? []
  if (unit) return [amountOf(Number(count), unit)]
  const start = /^start of (day|month|year)$/.exec(modifier)?.[1]
  if (start) return [{ type: 'start', of: start as 'day' | 'month' | 'year' }]
  const day = /^weekday ([0-6])$/.exec(modifier)?.[1]
  if (day) return [{ type: 'weekday', day: Number(day) }]
  const time = span.exec(modifier)
  if (time) return [clockOf(time[1], time.slice(2))]
  const date = dates.exec(modifier)
  if (!date) throw new FilterError(`modifier ${modifier.slice(0, 40)}`)
  const sign = date[1] === '-' ? -1 : 1
  const [years = 0, months = 0, days = 0] = date.slice(2, 5).map(Number)
  return [
    { type: 'months', count: sign * (years * 12 + months) },
    { type: 'milliseconds', count: sign * days * dayMs },
    ...(date[5] ? [clockOf(date[1], date.slice(5))] : []),
  ]
}

function amountOf(count: number, unit: string): TimeModifier {
  const length = units[unit]
  if (length) return { type: 'milliseconds', count: rounded(count * length) }
  if (!Number.isInteger(count)) throw new FilterError('a part of a month')
  return { type: 'months', count: unit === 'year' ? count * 12 : count }
}

function clockOf(sign: string | undefined, parts: readonly (string | undefined)[]): TimeModifier {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const count = rounded(hours * 3_600_000 + minutes * 60_000 + seconds * 1000)
  return { type: 'milliseconds', count: sign === '-' ? -count : count }
}

/** Half a millisecond goes away from zero. */
function rounded(milliseconds: number): number {
  return Math.sign(milliseconds) * Math.round(Math.abs(milliseconds))
}
