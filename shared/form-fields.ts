/**
 * Fields of the forms that /api/v1 takes. Each says the same twice: in a check, and in metadata for
 * the OpenAPI document, which a zod check that is code does not reach.
 */

import * as z from 'zod'
import { isbnMessage, isbnShape, parseIsbn } from './isbn.ts'
import { displayWidth, fullWidthClass, fitsLength } from './text.ts'

/** Matches a text in which something can be seen. */
const notBlank = '\\S'

/** A text of at most so many characters. */
export function limitedText(max: number, tooLong: string) {
  return z
    .string()
    .refine((text) => fitsLength(text, max), { message: tooLong, abort: true })
    .meta({ maxLength: max })
}

/** The same, without the spaces around it, which count. */
export const trimmedText = (max: number, tooLong: string) => limitedText(max, tooLong).trim()

/** The same without NUL, which PostgreSQL cannot store. */
export const storedText = (max: number, tooLong: string, notText: string) =>
  trimmedText(max, tooLong)
    .refine((text) => !text.includes('\0'), notText)
    .meta({ pattern: '^[^\\u0000]*$' })

/** A trimmed text of so many characters; one of Chinese, Japanese or Korean says enough. */
const atLeast = {
  2: `\\S[\\s\\S]*\\S|${fullWidthClass}`,
  3: `\\S[\\s\\S]+\\S|\\S?${fullWidthClass}\\S?`,
}

const saysEnough = (text: string, min: keyof typeof atLeast) =>
  displayWidth(text) >= min || displayWidth(text) > [...text].length

/** A text to search for, of at most 255 characters; an optional one may be empty. */
export function searchText(name: string, min: keyof typeof atLeast, isOptional = false) {
  return trimmedText(255, `${name} must be less than 255 characters.`)
    .refine(
      (text) => (isOptional && text === '') || saysEnough(text, min),
      `${name} must be at least ${min} characters long.`,
    )
    .meta({ pattern: `^\\s*(?:${atLeast[min]})${isOptional ? '?' : ''}\\s*$` })
}

/** Longer than any ISBN is printed. */
const maxIsbnLength = 50

/** What a check says of a value that is well-formed and names nothing: the answer is 404, not 400. */
const notFoundParams = { notFound: true }

/** An ISBN as books print it. A wrong check digit is the one fault a pattern cannot tell. */
export const isbnText = isbnField(`^${isbnShape}$`)

/** The same, or nothing. */
export const optionalIsbn = isbnField(`^(?:${isbnShape}|\\s*)$`).default('')

function isbnField(pattern: string) {
  const shape = new RegExp(pattern)
  return trimmedText(maxIsbnLength, isbnMessage)
    .refine((text) => shape.test(text), { message: isbnMessage, abort: true })
    .refine((text) => text === '' || parseIsbn(text) !== null, {
      message: isbnMessage,
      params: notFoundParams,
    })
    .meta({ pattern })
}

/**
 * What the OpenAPI document says of a form that needs one field of several.
 *
 * @param names of texts, of which one must not be blank
 */
export const requireOneOf = (...names: string[]) => ({
  anyOf: names.map((name) => ({ required: [name], properties: { [name]: { pattern: notBlank } } })),
})
