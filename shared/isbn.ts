import { westernDigits } from './digits.ts'

/** The prefix in print; "ISBN13 978…" isn't the number 13978…. */
const prefix = /^\s*ISBN(?:[- ]?1[03](?=[:\s]))?[:\s]*/i

/** Spaces, hyphens, dots and characters that can't be seen. */
const separators =
  '\\s.\\u00AD\\u200B-\\u200F\\u2010-\\u2015\\u202A-\\u202E\\u2060-\\u2064\\u2212\\uFEFF-'
const gap = `[${separators}]*`
/** What catalogues write behind it: (pbk.), (hardcover : alk. paper). */
const binding = `(?:\\([^()]*\\)${gap})?`
const digits = (count: number) => `(?:\\d${gap}){${count}}`

/**
 * The input of {@link parseIsbn} as a regular expression without anchors. It accepts any check
 * digit, which a regular expression can't verify.
 */
export const isbnShape =
  `(?:\\s*[Ii][Ss][Bb][Nn](?:[- ]?1[03][:\\s]+|[:\\s]*))?${gap}(?:${digits(9)}[\\dXx]` +
  `|9${gap}7${gap}(?:8${gap}\\d|9${gap}[1-9])${gap}${digits(8)}\\d)${gap}(?:${digits(5)})?${binding}`

/**
 * Parses a typed or scanned ISBN: removes spaces, hyphens, dots, invisible characters, an "ISBN:"
 * prefix, a binding in brackets and the five digits of a price beside the barcode, reads full-width
 * and Arabic digits, upper-cases an x and verifies the check digit. Only the book prefixes 978 and 979 are valid (979-0 is printed
 * music).
 *
 * @returns 10 or 13 characters, or null if it isn't an ISBN
 */
export function parseIsbn(text: string): string | null {
  const isbn = digitsOfIsbn(text)
  return isbn !== null && hasRightCheck(isbn) ? isbn : null
}

/**
 * Reads an ISBN like {@link parseIsbn}, whatever its check digit: some books are printed with a wrong
 * one.
 *
 * @returns 10 or 13 characters, or null if it hasn't the digits of an ISBN
 */
export function digitsOfIsbn(text: string): string | null {
  const typed = bare(text)
  const isbn = /^\d{9}[\dX]$/.test(typed) ? typed : withoutPrice(typed)
  return /^(?:\d{9}[\dX]|97(?:8\d|9[1-9])\d{9})$/.test(isbn) ? isbn : null
}

/** @returns whether the text has the digits of an ISBN, one of which must be wrong */
export function hasWrongDigit(text: string): boolean {
  const isbn = digitsOfIsbn(text)
  return isbn !== null && !hasRightCheck(isbn)
}

function hasRightCheck(isbn: string): boolean {
  return isbn.endsWith(isbn.length === 10 ? check10(isbn) : check13(isbn))
}

/** The five digits of a price follow the ISBN in the barcode of many books. */
function withoutPrice(typed: string): string {
  if (/^97[89]\d{15}$/.test(typed)) return typed.slice(0, 13)
  return /^\d{9}[\dX]\d{5}$/.test(typed) ? typed.slice(0, 10) : typed
}

/**
 * Converts to ISBN-13, in which two ISBNs of the same book are equal.
 *
 * @param isbn anything {@link parseIsbn} accepts
 * @returns 13 digits, or null if it isn't an ISBN
 */
export function toIsbn13(isbn: string): string | null {
  const parsed = parseIsbn(isbn)
  if (parsed === null || parsed.length === 13) return parsed
  const body = `978${parsed.slice(0, 9)}`
  return body + check13(body)
}

/**
 * The range of ISBN-13s that begin with the typed digits, or have them with another check digit.
 *
 * @returns the first and the last; null unless there are 7 to 13 digits
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
 * @returns the ISBN-10, or null if there is none (as for 979) or it isn't an ISBN
 */
export function toIsbn10(isbn: string): string | null {
  const parsed = parseIsbn(isbn)
  if (parsed === null || parsed.length === 10) return parsed
  if (!parsed.startsWith('978')) return null
  const body = parsed.slice(3, 12)
  return body + check10(body)
}

/** @returns both lengths of an ISBN, or the typed part of one without separators */
export function isbnForms(text: string): string[] {
  const forms = [toIsbn13(text), toIsbn10(text)].filter((form) => form !== null)
  return forms.length > 0 ? forms : [bare(text)]
}

const separator = new RegExp(`[${separators}]`, 'g')

/** Removes the prefix, a binding in brackets at the end, and separators. Digits are 0 to 9. */
function bare(text: string): string {
  return westernDigits(text.normalize('NFKC'))
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(prefix, '')
    .replace(/\([^()]*\)[\s.]*$/, '')
    .replace(separator, '')
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
