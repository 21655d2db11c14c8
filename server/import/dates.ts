import type { DateOrder } from '#shared/import.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Two numbers that may each be the day or the month, and a year: 3/4/2024. */
const numeric = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b/

/** How many ambiguous dates to keep as examples. */
const examples = 5

/** Determines from all of a file's dates whether the day or the month comes first. */
export class DateEvidence {
  readonly #seen = new Set<DateOrder>()
  readonly #ambiguous = new Set<string>()

  add(text: string): void {
    const [, first, second] = numeric.exec(text.trim())?.map(Number) ?? []
    if (first === undefined || second === undefined) return
    if (first > 12 && second <= 12) this.#seen.add('dmy')
    else if (second > 12 && first <= 12) this.#seen.add('mdy')
    else if (first !== second && this.#ambiguous.size < examples) this.#ambiguous.add(text.trim())
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
 * Parses a date as other trackers write it.
 *
 * @param order whether the day or the month comes first; if undefined, dates that depend on it
 *   aren't parsed
 * @returns YYYY, YYYY-MM or YYYY-MM-DD; '' for an invalid or ambiguous date
 */
export function parseDate(text: string, order?: DateOrder): string {
  const bare = text.trim().replace(/^\[|\]$/g, '')
  const iso = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ].*)?$/.exec(bare)
  if (iso) return compose(iso[1], iso[2], iso[3])
  const mixed = numeric.exec(bare)
  if (mixed) {
    const [, first = '', second = '', year] = mixed
    const known = Number(first) > 12 ? 'dmy' : Number(second) > 12 ? 'mdy' : order
    if (known === undefined && Number(first) !== Number(second)) return ''
    return known === 'dmy' ? compose(year, second, first) : compose(year, first, second)
  }
  const words = bare.replace(/,/g, ' ').split(/\s+/)
  const named = words.findIndex((word) => months.includes(word.slice(0, 3).toLowerCase()))
  const year = words.find((word) => /^\d{4}$/.test(word))
  if (named < 0 || year === undefined) return ''
  const month = months.indexOf(words[named]!.slice(0, 3).toLowerCase()) + 1
  const day = words.find((word) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word))
  return compose(year, String(month), day?.replace(/\D/g, ''))
}

/** Drops an impossible part and all parts after it. */
function compose(year = '', month = '', day = ''): string {
  const [m, d] = [Number(month), Number(day)]
  if (!(Number(year) >= 1000)) return ''
  if (!(m >= 1 && m <= 12)) return year
  const start = `${year}-${String(m).padStart(2, '0')}`
  const last = new Date(Date.UTC(Number(year), m, 0)).getUTCDate()
  return d >= 1 && d <= last ? `${start}-${String(d).padStart(2, '0')}` : start
}
