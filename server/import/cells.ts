import { decodeHTMLStrict } from 'entities'
import { parseIsbn } from '#shared/isbn.ts'
import { emptyBook } from './row.ts'
import type { ImportedBook } from '#shared/import.ts'

/**
 * Finds the first ISBN among cells, however a spreadsheet has written it: as `="0140449337"`,
 * without leading zeros, or with hyphens. A rounded number (`9.78E+12`) isn't one.
 *
 * @returns 10 or 13 characters; '' for none
 */
export function findIsbn(...cells: readonly (string | undefined)[]): string {
  for (const cell of cells) {
    const bare = (cell ?? '').replace(/^[=\s[]+|[\s\]]+$/g, '').replaceAll('"', '')
    if (!bare || /e\+/i.test(bare)) continue
    const isbn =
      parseIsbn(bare) ?? (/^\d{7,8}[\dX]$/i.test(bare) ? parseIsbn(bare.padStart(10, '0')) : null)
    if (isbn) return isbn
  }
  return ''
}

/** Splits a list of names, dropping empty and repeated ones. */
export function splitList(text = '', separator: string | RegExp = ','): string[] {
  return [...new Set(text.split(separator).map(collapseSpaces).filter(Boolean))]
}

/** Trims the text and collapses its white space. */
export const collapseSpaces = (text = '') => text.replace(/\s+/g, ' ').trim()

/** @returns a number that isn't negative; 0 for anything else */
export function parseNumber(text = ''): number {
  const value = Number.parseFloat(text.trim().replace(',', '.'))
  return value > 0 && Number.isFinite(value) ? value : 0
}

/** Converts stars to a rating: two points each, at most ten. */
export const parseStars = (text = '') => Math.min(10, parseNumber(text) * 2)

/** Determines the scale of a file's ratings from all of them: 5, 10 or 100. */
export class RatingScale {
  #highest = 0

  add(text: string): void {
    if (!/[★/]/.test(text)) this.#highest = Math.max(this.#highest, parseNumber(text))
  }

  get outOf(): number {
    return [5, 10].find((top) => this.#highest <= top) ?? 100
  }
}

/**
 * Parses a rating as people write it: 4.5, "9/10", "★★★★½".
 *
 * @param outOf the highest rating of the scale, unless the cell has its own
 * @returns a rating of at most ten
 */
export function parseRating(text = '', outOf = 5): number {
  const stars = text.split('★').length - 1
  if (stars) return Math.min(10, stars * 2 + (text.includes('½') ? 1 : 0))
  const [value = '', top = ''] = text.split('/')
  return Math.min(10, (parseNumber(value) * 10) / (parseNumber(top) || outOf))
}

export const isYes = (text = '') => /^(?:true|yes|y|1|owned)$/i.test(text.trim())

/** Converts "Le Guin, Ursula K." to "Ursula K. Le Guin". */
export function firstNameFirst(name: string): string {
  const [last = '', first = '', ...rest] = name.split(',').map(collapseSpaces)
  return first && !rest.length ? `${first} ${last}` : collapseSpaces(name)
}

/** Converts HTML to text: line breaks for `<br>` and paragraphs, no tags, decoded entities. */
export function htmlToText(text = ''): string {
  const bare = text
    .replace(/\r\n?/g, '\n')
    .replace(/<br\s*\/?>\n?|<\/(?:p|div|li)>\n?/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
  return decodeHTMLStrict(bare).replaceAll('\u00a0', ' ').trim()
}

/** Converts a binding or medium to one of our formats. */
export function parseBookFormat(text = ''): ImportedBook['format'] {
  const word = text.toLowerCase()
  if (/audio|cd|mp3|cassette/.test(word)) return 'audio'
  if (/kindle|e-?book|digital|epub|nook|electronic/.test(word)) return 'ebook'
  return /paper|hard|print|mass|bound|broch|library|poche|taschen|cover|board|physical/.test(word)
    ? 'print'
    : emptyBook.format
}
