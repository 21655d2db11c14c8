import { decodeHTMLStrict } from 'entities'
import { parseIsbn } from '#shared/isbn.ts'
import { spoilerMark } from '#shared/spoilers.ts'
import { foldText } from '#shared/text.ts'
import type { ImportedBook } from '#shared/import.ts'

/** Characters of a cell that can hold an ISBN. */
const isbnAtMost = 200

/** Names in one cell, such as authors or tags. Any more are dropped. */
const namesAtMost = 1000

/**
 * Finds the first ISBN among cells, however a spreadsheet has written it: as `="0140449337"`,
 * without leading zeros, or with hyphens. A rounded number (`9.78E+12`) isn't one.
 *
 * @returns 10 or 13 characters; '' for none
 */
export function findIsbn(...cells: readonly (string | undefined)[]): string {
  for (const cell of cells) {
    // Finding the end of white space takes quadratic time.
    if (!cell || cell.length > isbnAtMost) continue
    const bare = cell.replace(/^[=\s[]+|[\s\]]+$/g, '').replaceAll('"', '')
    if (!bare || /e\+/i.test(bare)) continue
    const isbn =
      parseIsbn(bare) ?? (/^\d{7,8}[\dX]$/i.test(bare) ? parseIsbn(bare.padStart(10, '0')) : null)
    if (isbn) return isbn
  }
  return ''
}

/** Splits a list of names, dropping empty and repeated ones. */
export function splitList(text = '', separator: string | RegExp = ','): string[] {
  return [...new Set(text.split(separator, namesAtMost).map(collapseSpaces).filter(Boolean))]
}

/** Trims the text and collapses its white space. */
export const collapseSpaces = (text = '') => text.replace(/\s+/g, ' ').trim()

/** @returns whether a cell says that it has no value */
export const isBlank = (text = '') =>
  text.length < 20 && /^(?:[-–—?.="]*|n\/?a|none|null|undefined|nan|unknown)$/i.test(text.trim())

/** @returns a number that isn't negative; 0 for anything else */
export function parseNumber(text = ''): number {
  const value = Number.parseFloat(text.trim().replace(',', '.'))
  return value > 0 && Number.isFinite(value) ? value : 0
}

/** Characters of a cell that are searched for a number. */
const numberWithin = 200
const grouped = /\d{1,3}(?:[,.’'\s]\d{3})+(?!\d)|\d+/g
const isPages = /^\s?\]?\s?(?:p\b|pp\b|pages?\b|s\.|seiten|p[aá]gs?\b|p[aá]ginas|ページ|頁|صفحة)/i
const isNoPages = /^\s?(?:v\b|vols?\b|volumes?\b|bd|b[äa]nde|cm\b|mm\b)/i

/**
 * Parses a page count as libraries and spreadsheets write it: "1,216", "XXII, 516", "2 v. (900 p.)".
 *
 * @returns the pages, and whether the cell has nothing else; null if it has no number
 */
export function readPages(text: string): { pages: number; isPlain: boolean } | null {
  const bare = text.slice(0, numberWithin).trim()
  if (/^\d+(?:[.,]\d{1,2})?$/.test(bare))
    return { pages: Math.round(parseNumber(bare)), isPlain: true }
  const found = Array.from(bare.matchAll(grouped), ({ 0: digits, index }) => ({
    pages: Number(digits.replace(/\D/g, '')),
    rest: bare.slice(index + digits.length),
  })).filter(({ rest }) => !isNoPages.test(rest))
  const named = found.filter(({ rest }) => isPages.test(rest))
  const pages = Math.max(0, ...(named.length ? named : found).map((one) => one.pages))
  if (!pages || bare.startsWith('-')) return null
  return { pages, isPlain: /^\d{1,3}(?:[,.’'\s]\d{3})+$/.test(bare) }
}

/** Determines the scale of a file's ratings from all of them: 5, 10, 20 or 100. */
export class RatingScale {
  #highest = 0

  add(text: string): void {
    if (isPlainRating(text)) this.#highest = Math.max(this.#highest, parseNumber(text))
  }

  get outOf(): number {
    return [5, 10, 20].find((top) => this.#highest <= top) ?? 100
  }
}

const plainRating = /^(\d{1,3}(?:[.,]\d{1,9})?)(½)?$/
/** @returns whether a rating doesn't say out of how many it is */
export const isPlainRating = (text: string) => plainRating.test(text.trim())
const ratingInWords =
  /^(\d{1,3}(?:[.,]\d{1,9})?) ?(½)? ?(?:(?:\/|out of|of|von|sur|de|su|van) ?(\d{1,3})|(%)|(?:stars?|sterne?|étoiles?|estrellas?|estrelas?|つ星|نجوم|نجمة))$/i

/**
 * Parses a rating as people write it: 4.5, "9/10", "90%", "4 out of 5", "★★★★½".
 *
 * @param outOf the highest rating of the scale, unless the cell has its own
 * @returns a rating of at most ten, 0 for none; null if it can't be read
 */
export function readRating(text: string, outOf = 5): number | null {
  const bare = collapseSpaces(text.slice(0, numberWithin).replaceAll('\uFE0F', '')).replace(
    / ?\/ ?/,
    '/',
  )
  if (isBlank(bare)) return 0
  const stars = (bare.match(/[★⭐]/gu) ?? []).length
  if (stars && /^[★⭐☆½ ]+$/u.test(bare)) return within(stars * 2 + (bare.includes('½') ? 1 : 0))
  const [, value = '', half, top, percent] =
    plainRating.exec(bare) ?? ratingInWords.exec(bare) ?? []
  if (!value) return null
  const scale = percent ? 100 : Number(top ?? 0) || (plainRating.test(bare) ? outOf : 5)
  return within(((parseNumber(value) + (half ? 0.5 : 0)) * 10) / scale)
}

const within = (rating: number) => (rating <= 10 ? rating : null)

export const isNo = (text = '') => /^(?:false|no|n|0)$/i.test(text.trim())
export const isYes = (text = '') => /^(?:true|yes|y|1|owned)$/i.test(text.trim())

/**
 * Converts HTML to text: line breaks for `<br>` and paragraphs, `||` around spoilers, no tags,
 * decoded entities.
 */
export function htmlToText(text = ''): string {
  const marks = text.match(/<\/?spoiler>/gi)?.length ?? 0
  const bare = (marks % 2 ? `${text}</spoiler>` : text)
    .replace(/\r\n?/g, '\n')
    .replace(/<\/?spoiler>/gi, spoilerMark)
    .replace(/<br\s*\/?>\n?|<\/(?:p|div|li)>\n?/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
  return decodeHTMLStrict(bare).replaceAll('\u00a0', ' ').trim()
}

/** A text of several lines from an app that stores it as it was typed. */
export const plainText = (text = '') => text.replace(/\r\n?/g, '\n').trim()

/** Parts of words for bindings and media in Octavo's languages, folded; of several the first counts. */
const formatWords: [ImportedBook['format'], readonly string[]][] = [
  ['audio', ['audio', 'cd', 'mp3', 'cassette', 'horbuch', 'オーディオ', '朗読', 'صوتي', 'مسموع']],
  [
    'ebook',
    [
      ['kindle', 'ebook', 'e book', 'digital', 'epub', 'nook', 'electronic', 'elektronisch'],
      ['numerique', 'electronico', 'eletronico', '電子', 'الكتروني', 'رقمي'],
    ].flat(),
  ],
  [
    'print',
    [
      ['paper', 'hard', 'print', 'mass', 'bound', 'broch', 'library', 'poche', 'taschen', 'cover'],
      ['board', 'physical', 'gebunden', 'gedruckt', 'softcover', 'relie', 'papier', 'tapa', 'capa'],
      ['rustica', 'bolsillo', 'bolso', 'papel', 'brochura', '文庫', '単行本', '新書', '紙', 'ورقي'],
      ['مطبوع', 'غلاف'],
    ].flat(),
  ],
]
const formatParts = formatWords.map(([format, words]) => [format, words.map(foldText)] as const)

/** Converts a binding or medium to one of our formats. */
export function parseBookFormat(text = ''): ImportedBook['format'] {
  const word = foldText(text.slice(0, numberWithin))
  return formatParts.find(([, parts]) => parts.some((part) => word.includes(part)))?.[0] ?? ''
}
