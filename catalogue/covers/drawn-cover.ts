import { escapeUTF8 } from 'entities'
import {
  breakLines,
  coverThemeFor,
  fitTitle,
  coverLayoutFor,
  titleLineHeight,
  type CoverTheme,
  type CoverLayout,
  type TitleBox,
} from '#shared/cover-theme.ts'
import { initialOf } from '#shared/text.ts'

/** A book's names and its cover's theme. */
interface Drawn {
  title: string
  author: string
  theme: CoverTheme
}

const serif = "Newsreader, Georgia, 'Times New Roman', serif"
const sans = "Inter, 'Helvetica Neue', Arial, sans-serif"
const authorSize = 6.4

/**
 * Draws the cover of a book without a picture, as the screens do: colours, lettering and layout
 * depend only on title and author.
 *
 * @returns an SVG document, two by three; every text in it is escaped
 */
export function drawCover(title: string, author = ''): string {
  const theme = coverThemeFor(title, author)
  const body = drawings[coverLayoutFor(title, author)]({ title, author, theme })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 150" width="500" height="750" role="img" aria-label="${escape(title)}"><defs><linearGradient id="hinge"><stop offset="0" stop-opacity=".2"/><stop offset=".5" stop-color="#fff" stop-opacity=".1"/><stop offset="1" stop-opacity=".15"/></linearGradient></defs><rect width="100" height="150" fill="${theme.ground}"/>${body}<rect width="5" height="150" fill="url(#hinge)"/></svg>`
}

/** The position of a block of lines: `y` is its top, middle or bottom, depending on `hold`. */
interface Setting {
  x: number
  y: number
  hold?: 'top' | 'middle' | 'bottom'
  anchor?: 'start' | 'middle'
  /** The line's right end, for right-to-left scripts. */
  end?: number
  fill: string
}

function titleBlock(title: string, box: TitleBox, setting: Setting): string {
  const { size, lines } = fitTitle(title, box)
  return block(wrap(title, box.width / size, lines), size, serif, setting)
}

function authorBlock(author: string, width: number, setting: Setting): string {
  return author && block(wrap(author, width / authorSize, 2), authorSize, sans, setting)
}

function block(lines: string[], size: number, font: string, setting: Setting): string {
  const { x, y, hold = 'top', anchor = 'middle', end = 90, fill } = setting
  const step = size * titleLineHeight
  const height = step * lines.length
  const top = hold === 'top' ? y : hold === 'middle' ? y - height / 2 : y - height
  return lines
    .map((line, i) => {
      const isTurned = anchor === 'start' && isRightToLeft(line)
      const place = `x="${isTurned ? end : x}" y="${round(top + step * i + size * 0.86)}"`
      const direction = isTurned ? ' direction="rtl"' : ''
      return `<text ${place} font-size="${size}" font-family="${font}" font-weight="500" text-anchor="${anchor}" fill="${fill}"${direction}>${escape(line)}</text>`
    })
    .join('')
}

/** Breaks text into at most `max` lines of `width` ems, with an ellipsis if it is cut. */
function wrap(text: string, width: number, max: number): string[] {
  const lines = breakLines(text, width)
  if (lines.length <= max) return lines
  const last = [...(lines[max - 1] ?? '')].slice(0, -1).join('')
  return [...lines.slice(0, max - 1), `${last.trimEnd()}…`]
}

const drawings: Record<CoverLayout, (book: Drawn) => string> = {
  label: ({ title, author, theme }) => {
    const { size, lines } = fitTitle(title, { width: 62, height: 70, largest: 14.5 })
    const rows = wrap(title, 62 / size, lines)
    const names = author
      ? wrap(author, 62 / authorSize, 2).length * authorSize * titleLineHeight + 11
      : 0
    const height = 20 + rows.length * size * titleLineHeight + names
    const top = 17
    const ink = '#2a2118'
    return [
      `<rect x="11" y="${top}" width="78" height="${round(height)}" fill="#f6efde"/>`,
      `<rect x="13.2" y="${top + 2.2}" width="73.6" height="${round(height - 4.4)}" fill="none" stroke="${theme.shade}" stroke-width=".5"/>`,
      block(rows, size, serif, { x: 50, y: top + 10, fill: ink }),
      author &&
        `<rect x="43" y="${round(top + height - names - 5)}" width="14" height=".5" fill="${theme.shade}"/>`,
      authorBlock(author, 62, { x: 50, y: top + height - 10, hold: 'bottom', fill: ink }),
    ].join('')
  },
  frame: ({ title, author, theme: { foil } }) =>
    [
      `<g fill="none" stroke="${foil}" stroke-width=".5"><rect x="6.5" y="6.5" width="87" height="137" opacity=".8"/><rect x="9" y="9" width="82" height="132" opacity=".4"/></g>`,
      titleBlock(title, { width: 70, height: 94 }, { x: 50, y: 68, hold: 'middle', fill: foil }),
      authorBlock(author, 70, { x: 50, y: 134, hold: 'bottom', fill: foil }),
    ].join(''),
  band: ({ title, author, theme: { foil, shade } }) =>
    [
      `<rect x="0" y="30" width="100" height="76" fill="${shade}"/>`,
      `<path d="M0 30H100M0 106H100" stroke="${foil}" stroke-width=".8"/>`,
      titleBlock(title, { width: 80, height: 68 }, { x: 50, y: 68, hold: 'middle', fill: foil }),
      authorBlock(author, 82, { x: 50, y: 138, hold: 'bottom', fill: foil }),
    ].join(''),
  modern: ({ title, author, theme: { foil } }) => {
    const box = { width: 78, height: 96 }
    const { size, lines } = fitTitle(title, box)
    const rows = wrap(title, box.width / size, lines)
    const below = 10 + rows.length * size * titleLineHeight + 6
    const setting = { x: 10, anchor: 'start', fill: foil } as const
    return [
      block(rows, size, serif, { ...setting, y: 10 }),
      `<rect x="10" y="${round(below)}" width="18" height="1.4" fill="${foil}"/>`,
      authorBlock(author, 78, { ...setting, y: below + 7.4 }),
    ].join('')
  },
  column: ({ title, author, theme: { foil, shade } }) => {
    const setting = { x: 27, end: 93, anchor: 'start', fill: foil } as const
    const box = { width: 64, height: 104, largest: 17 }
    return [
      `<rect width="19" height="150" fill="${shade}"/>`,
      `<rect x="19" width=".8" height="150" fill="${foil}" opacity=".7"/>`,
      authorBlock(author, 64, { ...setting, y: 10 }),
      titleBlock(title, box, { ...setting, y: 140, hold: 'bottom' }),
    ].join('')
  },
  initial: ({ title, author, theme: { foil } }) => {
    const initial = initialOf(title)
    const names = author
      ? wrap(author, 80 / authorSize, 2).length * authorSize * titleLineHeight
      : 0
    const box = { width: 80, height: 50, largest: 14.5 }
    return [
      `<text x="50" y="70" font-size="78" font-family="${serif}" font-weight="300" text-anchor="middle" fill="${foil}" opacity=".3">${escape(initial)}</text>`,
      titleBlock(title, box, { x: 50, y: 140 - names - 3.5, hold: 'bottom', fill: foil }),
      authorBlock(author, 80, { x: 50, y: 140, hold: 'bottom', fill: foil }),
    ].join('')
  },
  sun: ({ title, author, theme: { foil, shade } }) => {
    const setting = { x: 10, anchor: 'start', fill: foil } as const
    return [
      `<circle cx="66" cy="40" r="25" fill="${foil}" opacity=".9"/>`,
      `<path d="M0 58Q26 42 52 55T100 50V150H0Z" fill="${shade}"/>`,
      `<path d="M0 58Q26 42 52 55T100 50" fill="none" stroke="${foil}" stroke-width=".7"/>`,
      titleBlock(title, { width: 78, height: 52, largest: 17 }, { ...setting, y: 68 }),
      authorBlock(author, 80, { ...setting, y: 141, hold: 'bottom' }),
    ].join('')
  },
  lines: ({ title, author, theme: { foil } }) => {
    const arches = [40, 35, 30, 25, 20, 15, 10, 5]
      .map((r) => `M${50 - r} 0V26A${r} ${r} 0 0 0 ${50 + r} 26V0`)
      .join('')
    const names = author
      ? wrap(author, 80 / authorSize, 2).length * authorSize * titleLineHeight + 4
      : 0
    const setting = { x: 10, anchor: 'start', hold: 'bottom', fill: foil } as const
    return [
      `<path d="${arches}" fill="none" stroke="${foil}" stroke-width=".8" opacity=".75"/>`,
      titleBlock(title, { width: 78, height: 48, largest: 17 }, { ...setting, y: 140 - names }),
      authorBlock(author, 80, { ...setting, y: 140 }),
    ].join('')
  },
}

const isRightToLeft = (text: string) =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)

const round = (value: number) => Math.round(value * 100) / 100

/** Escapes text for XML and removes characters that XML doesn't allow. */
function escape(text: string): string {
  return escapeUTF8(
    text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ''),
  )
}
