import { foldText } from './text.ts'

/** Characters that decide about the order; an index holds no more. */
const maxLength = 100

/**
 * The key by which titles and names are sorted, the same in all languages and on both databases:
 * case and marks are ignored, and numbers count by their value (“Volume 2” before “Volume 10”).
 * Keys are compared by code points.
 *
 * @param text any title or name
 */
export function sortKey(text: string): string {
  const folded = foldText([...text].slice(0, maxLength).join('')) || text.toLowerCase()
  const key = folded.replaceAll(/\p{Nd}+/gu, byValue)
  return [...key].slice(0, maxLength).join('')
}

/** Compares two texts by their {@link sortKey}. */
export function compareByKey(a: string, b: string): number {
  const [one, other] = [sortKey(a), sortKey(b)]
  return one < other ? -1 : Number(one > other)
}

/** Puts the number of digits in front; nine or more are a 9 and what is above nine. */
function byValue(digits: string): string {
  const number = digits.replace(/^0+(?=.)/, '')
  return lengthKey([...number].length) + number
}

function lengthKey(length: number): string {
  return length < 9 ? String(length) : `9${lengthKey(length - 8)}`
}
