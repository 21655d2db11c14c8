const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * Parses a cataloguer's publication date ("March 3, 1998", "Dec 1985", "1978-03", "c1961") and
 * keeps its precision.
 *
 * @param now years after this are invalid
 * @returns yyyy, yyyy-MM or yyyy-MM-dd; empty without a plausible year
 */
export function publishedDate(text: string, now = new Date()): string {
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text)
  // Years before printing and future years are mistakes.
  const year = iso?.[1] ?? /(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)/.exec(text)?.[0] ?? ''
  if (Number(year) < 1400 || Number(year) > now.getUTCFullYear() + 2) return ''
  const named = /\b([a-z]{3})[a-z]*\.?(?: (\d{1,2})(?:st|nd|rd|th)?\b)?/i.exec(text)
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)? [a-z]/i.exec(text)?.[1]
  const month = Number(iso?.[2] ?? months.indexOf((named?.[1] ?? '').toLowerCase()) + 1)
  const day = Number(iso?.[3] ?? named?.[2] ?? dayFirst ?? 0)
  if (month < 1 || month > 12) return year
  const two = (n: number) => String(n).padStart(2, '0')
  const exists =
    day > 0 && new Date(Date.UTC(Number(year), month - 1, day)).getUTCMonth() === month - 1
  return `${year}-${two(month)}${exists ? `-${two(day)}` : ''}`
}
