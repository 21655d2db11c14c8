/** The specification's sentence for every ISBN that is not one. */
export const isbnMessage = 'ISBN must be a valid 10 or 13-digit number.'

/** As books print it; "ISBN13 978…" is not the number 13978…. */
const prefix = /^\s*ISBN(?:[- ]?1[03](?=[:\s]))?[:\s]*/i

const gap = '[\\s\\u2010-\\u2015-]*'
const digits = (count: number) => `(?:\\d${gap}){${count}}`

/**
 * What {@link parseIsbn} accepts as a regular expression, without anchors: it lets any check digit
 * pass, which no regular expression of a sensible length can work out.
 */
export const isbnShape =
  `(?:\\s*[Ii][Ss][Bb][Nn](?:[- ]?1[03][:\\s]+|[:\\s]*))?${gap}(?:${digits(9)}[\\dXx]` +
  `|9${gap}7${gap}(?:8${gap}\\d|9${gap}[1-9])${gap}${digits(8)}\\d)${gap}`

/**
 * What was typed or scanned, as an ISBN: spaces, hyphens and an "ISBN:" prefix are taken off, an
 * x is upper-cased and the check digit is verified. Only the book prefixes 978 and 979 count (979-0
 * is printed music).
 *
 * @returns 10 or 13 characters, or null when it is no ISBN
 */
export function parseIsbn(text: string): string | null {
  const isbn = bare(text)
  if (/^\d{9}[\dX]$/.test(isbn)) return isbn.endsWith(check10(isbn)) ? isbn : null
  if (/^97(?:8|9[1-9])\d+$/.test(isbn) && isbn.length === 13)
    return isbn.endsWith(check13(isbn)) ? isbn : null
  return null
}

/**
 * The one form in which two ISBNs of the same book are equal.
 *
 * @param isbn anything {@link parseIsbn} accepts
 * @returns 13 digits, or null when it is no ISBN
 */
export function toIsbn13(isbn: string): string | null {
  const parsed = parseIsbn(isbn)
  if (parsed === null || parsed.length === 13) return parsed
  const body = `978${parsed.slice(0, 9)}`
  return body + check13(body)
}

/**
 * The ISBN-13 a reader may have begun to type, or typed with a wrong check digit.
 *
 * @returns the first and the last of them; null for anything but 7 to 13 digits
 */
export function isbnsBeginning(text: string): [number, number] | null {
  const typed = bare(text)
  if (!/^\d{7,13}$|^\d{9}X$/.test(typed)) return null
  const is13 = /^97[89]/.test(typed)
  if (!is13 && typed.length > 10) return null
  const digits = is13 ? typed.slice(0, 12) : `978${typed.slice(0, 9)}`
  const step = 10 ** (13 - digits.length)
  return [Number(digits) * step, (Number(digits) + 1) * step - 1]
}

/**
 * @param isbn anything {@link parseIsbn} accepts
 * @returns the ten-character form, or null when it has none (979 has none) or is no ISBN
 */
export function toIsbn10(isbn: string): string | null {
  const parsed = parseIsbn(isbn)
  if (parsed === null || parsed.length === 10) return parsed
  if (!parsed.startsWith('978')) return null
  const body = parsed.slice(3, 12)
  return body + check10(body)
}

/** Without what is printed around the digits and between them. */
function bare(text: string): string {
  return text
    .replace(prefix, '')
    .replace(/[\s\u2010-\u2015-]/g, '')
    .toUpperCase()
}

/** The check character of an ISBN-10, from its first nine digits: weights 10 to 2, modulo 11. */
function check10(isbn: string): string {
  let sum = 0
  for (let i = 0; i < 9; i++) sum += (10 - i) * Number(isbn[i])
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? 'X' : String(check)
}

/** The check digit of an EAN-13, from its first twelve digits: weights 1 and 3, modulo 10. */
export function check13(isbn: string): string {
  let sum = 0
  for (let i = 0; i < 12; i++) sum += Number(isbn[i]) * (i % 2 === 0 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}
