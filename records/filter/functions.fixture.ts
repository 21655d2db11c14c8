/** A second implementation of the filter language's functions, by plain arithmetic on Dates. */

import type { Literal, Name, Call } from './tree.ts'

/** The distance in kilometres on a globe of radius 6371, by the angle between two vectors. */
export function distance(degrees: readonly (number | null)[]): number | null {
  if (degrees.includes(null)) return null
  const [lonA = 0, latA = 0, lonB = 0, latB = 0] = degrees.map(
    (angle) => ((angle ?? 0) * Math.PI) / 180,
  )
  const vector = (lon: number, lat: number) => [
    Math.cos(lat) * Math.cos(lon),
    Math.cos(lat) * Math.sin(lon),
    Math.sin(lat),
  ]
  const [a, b] = [vector(lonA, latA), vector(lonB, latB)]
  const chord = Math.hypot(...a.map((part, i) => part - b[i]!))
  return 6371 * 2 * Math.asin(Math.min(1, chord / 2))
}

/** @param moment in the format of records; null and '' are invalid */
export function formatted(
  { args }: Call,
  moment: string | number | null,
  literals: readonly unknown[],
): string | null {
  const texts = args.map((arg: Literal | Name | Call) =>
    arg.type === 'text' ? String(literals[arg.index]) : '',
  )
  const [format = '', , ...modifiers] = texts
  if (moment === null) return null
  if (typeof moment === 'string' && !/^\d{4}-\d\d-\d\d/.test(moment)) return null
  const start =
    typeof moment === 'string'
      ? Date.parse(moment.length > 10 ? moment.replace(' ', 'T') : moment)
      : modifiers[0] === 'unixepoch'
        ? moment * 1000
        : (moment - 2_440_587.5) * 86_400_000
  if (Number.isNaN(start)) return null
  const date = new Date(Math.floor(start + 0.5))
  for (const [i, modifier] of modifiers.entries()) {
    modify(date, modifier)
    const next = modifiers[i + 1] ?? ''
    const goesOn =
      /^(weekday|\S+ (days|hours)$)/.test(modifier) && /^[^sw]\S* (days|hours)$/.test(next)
    if (date.getUTCFullYear() > 9999 && !goesOn) return null
  }
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  return format.replace(/%([^])/g, (_, letter: string) => piece(date, letter))
}

function modify(date: Date, modifier: string): void {
  const [count = '', unit = ''] = modifier.split(' ')
  const n = Number(count)
  if (modifier === 'start of day') date.setUTCHours(0, 0, 0, 0)
  else if (modifier === 'start of month') date.setTime(startOfMonth(date))
  else if (modifier === 'start of year') date.setTime(startOfMonth(date, -date.getUTCMonth()))
  else if (count === 'weekday')
    date.setUTCDate(date.getUTCDate() + ((Number(unit) - date.getUTCDay() + 7) % 7))
  else if (unit.startsWith('month')) date.setUTCMonth(date.getUTCMonth() + n)
  else if (unit.startsWith('year')) date.setUTCFullYear(date.getUTCFullYear() + n)
  else if (unit.startsWith('day')) date.setTime(date.getTime() + n * 86_400_000)
  else if (unit.startsWith('hour')) date.setTime(date.getTime() + n * 3_600_000)
}

function startOfMonth(date: Date, months = 0): number {
  const start = new Date(date)
  start.setUTCDate(1)
  start.setUTCMonth(start.getUTCMonth() + months)
  return start.setUTCHours(0, 0, 0, 0)
}

const padded = (n: number, length = 2, by = '0') => String(n).padStart(length, by)

function piece(date: Date, letter: string): string {
  const iso = date.toISOString()
  const day = date.getUTCDay()
  const hour12 = date.getUTCHours() % 12 || 12
  const dayOfYear = Math.floor(
    (date.getTime() - startOfMonth(date, -date.getUTCMonth())) / 86_400_000,
  )
  // A day's ISO week is that of its Thursday.
  const thursday = new Date(date.getTime() + (4 - (day || 7)) * 86_400_000)
  const weeks = (thursday.getTime() - startOfMonth(thursday, -thursday.getUTCMonth())) / 604_800_000
  const pieces: Record<string, () => string> = {
    d: () => iso.slice(8, 10),
    e: () => padded(date.getUTCDate(), 2, ' '),
    f: () => iso.slice(17, 23),
    F: () => iso.slice(0, 10),
    G: () => padded(thursday.getUTCFullYear(), 4),
    g: () => padded(thursday.getUTCFullYear() % 100),
    H: () => iso.slice(11, 13),
    I: () => padded(hour12),
    j: () => padded(dayOfYear + 1, 3),
    J: () => String(Number((date.getTime() / 86_400_000 + 2_440_587.5).toPrecision(16))),
    k: () => padded(date.getUTCHours(), 2, ' '),
    l: () => padded(hour12, 2, ' '),
    m: () => iso.slice(5, 7),
    M: () => iso.slice(14, 16),
    p: () => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
    P: () => (date.getUTCHours() < 12 ? 'am' : 'pm'),
    R: () => iso.slice(11, 16),
    s: () => String(Math.floor(date.getTime() / 1000)),
    S: () => iso.slice(17, 19),
    T: () => iso.slice(11, 19),
    u: () => String(day || 7),
    U: () => padded(Math.floor((dayOfYear + 7 - day) / 7)),
    V: () => padded(Math.floor(weeks) + 1),
    w: () => String(day),
    W: () => padded(Math.floor((dayOfYear + 7 - ((day + 6) % 7)) / 7)),
    Y: () => iso.slice(0, 4),
    '%': () => '%',
  }
  return pieces[letter]!()
}
