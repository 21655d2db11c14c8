import { cleanLanguage } from './sources/clean.ts'

/**
 * The language a reader likes best, out of what the browser says (RFC 9110, section 12.5.4).
 *
 * @param accepted an `Accept-Language` header such as "fr-CH, fr;q=0.9, en;q=0.8"
 * @returns its MARC code, such as "fre"; empty when none is named or it has no code we know
 */
export function preferredLanguage(accepted: string): string {
  let best = { tag: '', weight: 0 }
  for (const entry of accepted.split(',').slice(0, 20)) {
    const [tag = '', ...rest] = entry.split(';').map((part) => part.trim())
    const given = rest.find((part) => part.startsWith('q='))
    const weight = given === undefined ? 1 : Number(given.slice(2))
    if (tag !== '*' && weight > best.weight) best = { tag, weight }
  }
  const code = cleanLanguage(best.tag)
  return code.length === 3 ? code : ''
}
