const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Years before printing and years to come are mistakes. */
const firstYear = 1400
const lastYear = new Date().getUTCFullYear() + 2

/**
 * A date as cataloguers write it ("March 3, 1998", "Dec 1985", "1978-03", "c1961") with the
 * precision it has.
 *
 * @returns yyyy, yyyy-MM or yyyy-MM-dd; empty when there is no believable year
 */
export function publishedDate(text: string): string {
  const known = dates.get(text)
  if (known !== undefined) return known
  if (dates.size === maxCached) dates.clear()
  const date = readDate(text)
  dates.set(text, date)
  return date
}

/** Most books share their date with many others. */
const maxCached = 20_000
const dates = new Map<string, string>()

function readDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text)
  if (iso) return dateOf(iso[1], Number(iso[2]), Number(iso[3] ?? 0))
  const year = /(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)/.exec(text)?.[0]
  const named = /\b([a-z]{3})[a-z]*\.?(?: (\d{1,2})(?:st|nd|rd|th)?\b)?/i.exec(text)
  const month = named ? months.indexOf((named[1] ?? '').toLowerCase()) + 1 : 0
  const dayFirst = /^(\d{1,2}) [a-z]/i.exec(text)?.[1]
  return dateOf(year, month, Number(named?.[2] ?? dayFirst ?? 0))
}

function dateOf(year: string | undefined, month: number, day: number): string {
  const value = Number(year)
  if (!year || value < firstYear || value > lastYear) return ''
  if (month < 1 || month > 12) return year
  const two = (n: number) => String(n).padStart(2, '0')
  const exists = day > 0 && new Date(Date.UTC(value, month - 1, day)).getUTCMonth() === month - 1
  return `${year}-${two(month)}${exists ? `-${two(day)}` : ''}`
}
