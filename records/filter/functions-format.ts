import { FilterError } from './tree.ts'

/** A format split at its specifiers: `%Y` becomes `{ specifier: 'Y' }`, the rest stays text. */
export type Format = readonly (string | { specifier: Specifier })[]

/** Source: SQLite's documentation of strftime. */
const specifiers = 'deFfGgHIjJklmMpPRsSTuUVwWY'
export type Specifier = string

/** A step that changes a moment before it is formatted. */
export type TimeModifier =
  | { type: 'months'; count: number }
  | { type: 'milliseconds'; count: number }
  | { type: 'start'; of: 'day' | 'month' | 'year' }
  /** Moves on to the next such day (0 is Sunday), unless it is that day already. */
  | { type: 'weekday'; day: number }

export interface TimeModifiers {
  /** Whether a number is seconds since 1970 rather than a Julian day. */
  unixepoch: boolean
  steps: readonly TimeModifier[]
}

const dayMs = 86_400_000

/** @throws FilterError for a specifier that SQLite doesn't know */
export function parseFormat(format: string): Format {
  return format
    .split(/(%[^]?)/)
    .filter(Boolean)
    .map((part) => {
      if (!part.startsWith('%')) return part
      const letter = part.slice(1)
      if (letter === '%') return '%'
      if (letter === '' || !specifiers.includes(letter))
        throw new FilterError(`unknown format ${part}`)
      return { specifier: letter }
    })
}

/**
 * Parses the modifiers of SQLite's date functions, except those that use this machine's time zone
 * (`localtime`, `utc`) and the rarer `auto`, `julianday`, `ceiling`, `floor` and `subsec`.
 *
 * @throws FilterError for any other
 */
export function parseModifiers(modifiers: readonly string[]): TimeModifiers {
  const unixepoch = modifiers[0]?.toLowerCase() === 'unixepoch'
  const steps = merged((unixepoch ? modifiers.slice(1) : modifiers).flatMap(stepsOf))
  // Keeps moments well within the years that both databases can represent.
  const months = sum(steps.map((step) => (step.type === 'months' ? step.count : 0)))
  const days = sum(steps.map((step) => (step.type === 'milliseconds' ? step.count / dayMs : 0)))
  if (months / 12 + days / 365 > 4000) throw new FilterError('modifiers out of range')
  return { unixepoch, steps }
}

/**
 * Merges consecutive steps of milliseconds, as only their result must be in the supported range.
 */
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
  if (!date) throw new FilterError(`unknown modifier ${modifier.slice(0, 40)}`)
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
  if (!Number.isInteger(count)) throw new FilterError('fraction of a month')
  return { type: 'months', count: unit === 'year' ? count * 12 : count }
}

function clockOf(sign: string | undefined, parts: readonly (string | undefined)[]): TimeModifier {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const count = rounded(hours * 3_600_000 + minutes * 60_000 + seconds * 1000)
  return { type: 'milliseconds', count: sign === '-' ? -count : count }
}

/** Rounds half a millisecond away from zero. */
function rounded(milliseconds: number): number {
  return Math.sign(milliseconds) * Math.round(Math.abs(milliseconds))
}
