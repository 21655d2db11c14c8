/** Told by the clock or thought up. */
const own = ['created', 'updated', 'at', 'slug']

/**
 * An answer of one of two servers as it has to be on both: without what is each server's own, the
 * order of what has none, and which of two values that are both taken is told.
 *
 * @param plain makes a text alike in which something is thought up
 */
export function normalizeAnswer(
  text: string,
  plain: (text: string) => string = (one) => one,
): string {
  if (!text) return text
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) => {
      if (own.includes(key)) return typeof value
      if (typeof value === 'string') return plain(value)
      if (key === 'data' && JSON.stringify(value).includes('validation_not_unique')) return 'taken'
      if (!key.includes('_via_') || !Array.isArray(value)) return value
      return value.map((one) => JSON.stringify(one)).toSorted()
    }),
  )
}
