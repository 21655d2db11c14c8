import { streamSafe } from './text.ts'

/**
 * A book without a picture gets a drawn cover: its theme and layout follow from its title and
 * author alone, so the same book looks the same on every shelf, for every reader, on every day.
 */
export type CoverTheme = {
  name: string
  /** Colour of the cover. */
  ground: string
  /** A darker shade of it, for bands and grooves. */
  shade: string
  /** Stamped lettering; at least 4.5:1 on both. */
  foil: string
}

export const coverThemes: readonly CoverTheme[] = [
  { name: 'oxblood', ground: '#6e2427', shade: '#561a1d', foil: '#f3dfc1' },
  { name: 'bottle', ground: '#1f4a3d', shade: '#163930', foil: '#eadfb8' },
  { name: 'navy', ground: '#24385c', shade: '#1a2a47', foil: '#ecdfc0' },
  { name: 'mustard', ground: '#d3a03a', shade: '#c18d29', foil: '#2b1d08' },
  { name: 'slate', ground: '#47535e', shade: '#37424c', foil: '#f2ead9' },
  { name: 'aubergine', ground: '#4c2a4c', shade: '#3a1e3a', foil: '#f0dcc6' },
  { name: 'terracotta', ground: '#a4492d', shade: '#8c3b22', foil: '#fdeedd' },
  { name: 'sage', ground: '#a9b695', shade: '#97a582', foil: '#232a19' },
  { name: 'linen', ground: '#dccfb4', shade: '#cbbb9a', foil: '#3a2a1a' },
  { name: 'teal', ground: '#1d5a63', shade: '#15474e', foil: '#f1e6cb' },
  { name: 'charcoal', ground: '#2c2a29', shade: '#1e1c1b', foil: '#e6c98d' },
  { name: 'rose', ground: '#d9a59a', shade: '#cb9287', foil: '#3d1a17' },
]

export const coverLayouts = [
  'label',
  'frame',
  'band',
  'modern',
  'column',
  'initial',
  'sun',
  'lines',
] as const
export type CoverLayout = (typeof coverLayouts)[number]

/** FNV-1a with a final mix, so that similar titles get different values. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (value ^ (value >>> 16)) >>> 0
}

function bookHash(title: string, author: string): number {
  // Accents, case and stray spaces differ between catalogues for the same book.
  const same = (text: string) =>
    streamSafe(text).normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ')
  // Use only the first author, as some callers have all of them and some the first.
  const [first = ''] = author.split(',')
  return hash(`${same(title)}\n${same(first)}`)
}

function pick<T>(list: readonly [T, ...T[]] | readonly T[], place: number): T {
  return list[place % list.length] as T
}

/** @returns the theme of a drawn cover; the same book always gets the same one */
export function coverThemeFor(title: string, author = ''): CoverTheme {
  return pick(coverThemes, bookHash(title, author))
}

/** The colour of a drawn cover, for CSS. */
export function coverColour(title: string, author = ''): string {
  return coverThemeFor(title, author).ground
}

/** @returns the cover's layout, always the same for the same book */
export function coverLayoutFor(title: string, author = ''): CoverLayout {
  return pick(coverLayouts, Math.floor(bookHash(title, author) / coverThemes.length))
}

const fullWidth =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/

/** Letter widths in ems; the first match counts. Measured for the serif font, with some margin. */
const letters: readonly (readonly [RegExp, number])[] = [
  [fullWidth, 1.04],
  [/[MW—\u0416\u0428\u0429\u042e]/, 1.06],
  [/[mw\u0436\u0448\u0449\u044b\u044e]/, 0.9],
  [/\p{Lu}/u, 0.76],
  [/[ijlft.,:;!'’()-]|\p{Zs}/u, 0.36],
  [/[\u0370-\u052f]/, 0.68],
]
const otherLetter = 0.57
/** The title's line height, in ems. */
export const titleLineHeight = 1.12
const titleScale = [20, 17, 14.5, 12.5, 11, 9.5, 8.2, 7.2]

/** @returns the approximate width of a text, in ems */
function textWidth(text: string): number {
  const width = (one: string) => letters.find(([some]) => some.test(one))?.[1] ?? otherLetter
  return [...text].reduce((sum, one) => sum + width(one), 0)
}

/** @returns whether a word can break anywhere: Chinese, Japanese, Korean */
function isUnspaced(word: string): boolean {
  return [...word].some((one) => fullWidth.test(one))
}

/** A box on the cover, in hundredths of the cover's width; the cover's height is 150. */
export type TitleBox = { width: number; height: number; largest?: number }
type TitleFit = { size: number; lines: number }

/** @returns the title with volume numbers bound to the word before */
export function bindVolumeNumbers(title: string): string {
  return title.replaceAll(/\b(Vol|No)\. (?=\d)/g, '$1.\u00a0')
}

/** @returns the lines of a text, at most `width` ems wide where words allow it */
export function breakLines(text: string, width: number): string[] {
  const pieces = text
    .trim()
    .split(/[^\S\u00a0]+/)
    .flatMap((word) =>
      isUnspaced(word) ? [...word].map((one, i) => (i ? one : ` ${one}`)) : ` ${word}`,
    )
  const lines: string[] = []
  let free = 0
  for (const piece of pieces) {
    const needed = textWidth(piece)
    const last = lines.length - 1
    if (last >= 0 && needed <= free) {
      lines[last] += piece
      free -= needed
    } else {
      lines.push(piece.trimStart())
      free = width - textWidth(piece.trimStart())
    }
  }
  return lines
}

/**
 * The largest size at which the title fits its box without breaking a word, and how many lines may
 * then be shown. Chinese, Japanese and Korean characters take a full em and break anywhere.
 */
export function fitTitle(title: string, box: TitleBox): TitleFit {
  const unbroken = (word: string) => (isUnspaced(word) ? 1 : textWidth(word))
  const words = title.trim().split(/[^\S\u00a0]+/)
  const longest = Math.max(1, ...words.map(unbroken))
  const fits = titleScale.find((size) => {
    if (size > (box.largest ?? 20) || longest * size > box.width) return false
    const height = breakLines(title, box.width / size).length * size * titleLineHeight
    return height <= box.height + 1e-6
  })
  const size = fits ?? titleScale.at(-1) ?? 7
  // 70 / (12.5 * 1.12) is a hair below 5.
  return { size, lines: Math.max(1, Math.floor(box.height / (size * titleLineHeight) + 1e-6)) }
}
