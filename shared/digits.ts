const digit = /^\p{Nd}$/u
const otherDigits = /(?![0-9])\p{Nd}/gu

/** @returns the text with the digits of all scripts as 0 to 9 */
export const westernDigits = (text: string): string =>
  text.replace(otherDigits, (found) => String(digitValue(found.codePointAt(0) ?? 0)))

/** In Unicode the ten digits of a script follow one another, and so may those of several scripts. */
function digitValue(code: number): number {
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}

/** @returns the digits of a text, as 0 to 9, and nothing else of it */
export const digitsOf = (text: string): string => westernDigits(text).replaceAll(/\D/g, '')

/** What stands around digits in other scripts. */
const signs: Readonly<Record<string, string>> = { '٫': '.', '٬': ',', '٪': '%', '−': '-' }

/** @returns the text with the digits, and the signs of numbers, of all scripts in ASCII */
export const plainNumbers = (text: string): string =>
  westernDigits(text)
    .replaceAll(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[٫٬٪−]/g, (sign) => signs[sign] ?? sign)

/** Marks of a text's direction, which come along with a copied number. */
const invisible = /\p{Cf}/gu

/**
 * @returns the decimal number that was typed, in the digits of any script; NaN for all else, such as
 *   1,200, which is another number in other countries
 */
export function numberOf(text: string): number {
  const typed = plainNumbers(text.replace(invisible, ''))
    .trim()
    .replace(/,(?=\d{1,2}$)/, '.')
  return /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN
}
