/**
 * Fields of the forms of /api/v1. Each has a check and the same rule as metadata for the OpenAPI
 * document, which can't be derived from checks in code.
 */

import * as z from 'zod'
import { numberOf, westernDigits } from './digits.ts'
import { isbnShape, parseIsbn } from './isbn.ts'
import { refusal, rule, type RuleKey } from './rule.ts'
import { displayWidth, fullWidthClass, fitsLength, isVisible } from './text.ts'

/** Matches texts with a visible character. */
const notBlank = '\\S'

/** A text with a maximum length; `tooLong` is a rule that names it as `max`. */
export function limitedText(max: number, tooLong: RuleKey) {
  return z
    .string()
    .refine((text) => fitsLength(text, max), { ...refusal(tooLong, { max }), abort: true })
    .meta({ maxLength: max })
}

/** The same, trimmed; the surrounding spaces count towards the maximum. */
export const trimmedText = (max: number, tooLong: RuleKey) => limitedText(max, tooLong).trim()

/** The same without NUL, which PostgreSQL cannot store. */
export const storedText = (max: number, tooLong: RuleKey) =>
  trimmedText(max, tooLong)
    .refine((text) => !text.includes('\0'), rule('notText'))
    .meta({ pattern: '^[^\\u0000]*$' })

/**
 * A trimmed text of which something can be seen, such as a name.
 *
 * @param missing why one is refused that can't be seen
 */
export const visibleText = (missing: RuleKey) =>
  z
    .string(rule(missing))
    .trim()
    .min(1, { message: missing, abort: true })
    .refine((text) => isVisible(text), { ...refusal(missing), abort: true })

/** The name of a reader's device, program or store. */
export const nameText = visibleText('required').max(60, rule('charactersAtMost'))

/** Minimum lengths of trimmed texts; one Chinese, Japanese or Korean character is enough. */
const atLeast = {
  2: `\\S[\\s\\S]*\\S|${fullWidthClass}`,
  3: `\\S[\\s\\S]+\\S|\\S?${fullWidthClass}\\S?`,
}

const saysEnough = (text: string, min: keyof typeof atLeast) =>
  displayWidth(text) >= min || displayWidth(text) > [...text].length

/** A text to search for, of at most 255 characters; an optional one may be empty. */
export function searchText(min: keyof typeof atLeast, isOptional = false) {
  return trimmedText(255, 'charactersBelow')
    .refine(
      (text) => (isOptional && text === '') || saysEnough(text, min),
      refusal('charactersAtLeast', { min }),
    )
    .meta({ pattern: `^\\s*(?:${atLeast[min]})${isOptional ? '?' : ''}\\s*$` })
}

/** Longer than any printed form of an ISBN. */
const maxIsbnLength = 50

/** A number that may come as text, which is read as {@link numberOf} does. */
export const numberText = (number = z.number(rule('notANumber'))) =>
  z.preprocess((value) => (typeof value === 'string' ? numberOf(value) : value), number)

/** A whole number from 1 in a query. */
export const queryNumber = (max: number) =>
  numberText(
    z
      .number(rule('notANumber'))
      .int(rule('notWhole'))
      .min(1, rule('numberAtLeast'))
      .max(max, rule('numberAtMost')),
  )

/** Marks a check of a well-formed value that names nothing: the answer is 404, not 400. */
const notFoundParams = { notFound: true }

/** An ISBN as printed in books. A pattern finds every error except a wrong check digit. */
export const isbnText = isbnField(`^${isbnShape}$`)

/** The same, or nothing. */
export const optionalIsbn = isbnField(`^(?:${isbnShape}|\\s*)$`).default('')

function isbnField(pattern: string) {
  const shape = new RegExp(pattern)
  return trimmedText(maxIsbnLength, 'isbn')
    .overwrite((text) => westernDigits(text.normalize('NFKC')))
    .refine((text) => shape.test(text), { message: rule('isbn'), abort: true })
    .refine((text) => text === '' || parseIsbn(text) !== null, {
      message: rule('isbn'),
      params: notFoundParams,
    })
    .meta({ pattern })
}

/**
 * The OpenAPI metadata of a form that requires one of several fields.
 *
 * @param names of text fields, one of which must not be blank
 */
export const requireOneOf = (...names: string[]) => ({
  anyOf: names.map((name) => ({ required: [name], properties: { [name]: { pattern: notBlank } } })),
})
