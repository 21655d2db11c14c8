import { escapeUTF8 } from 'entities'
import { createRequire } from 'node:module'
import { cutText } from '#shared/text.ts'
import type { Mask } from './canvas.ts'
import { loadSharp } from './picture.ts'

/** The fonts of drawn pictures, best first; each draws what those before it lack. */
const fonts = [
  { family: 'Newsreader Medium', file: 'newsreader/500Medium/Newsreader_500Medium.ttf' },
  { family: 'Noto Serif Medium', file: 'noto-serif/500Medium/NotoSerif_500Medium.ttf' },
  {
    family: 'Noto Naskh Arabic Medium',
    file: 'noto-naskh-arabic/500Medium/NotoNaskhArabic_500Medium.ttf',
  },
  {
    family: 'Noto Serif Hebrew Medium',
    file: 'noto-serif-hebrew/500Medium/NotoSerifHebrew_500Medium.ttf',
  },
  { family: 'BIZ UDPMincho', file: 'biz-udpmincho/400Regular/BIZUDPMincho_400Regular.ttf' },
  { family: 'Song Myung', file: 'song-myung/400Regular/SongMyung_400Regular.ttf' },
  { family: 'ZCOOL XiaoWei', file: 'zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf' },
]
const families = fonts.map(({ family }) => family).join(',')

/** The scripts that the fonts have; others would appear as boxes. */
const written =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}\p{M}]+$/u
/** Signs of no script that the fonts lack, such as emoji. */
const unwritten = /\p{Extended_Pictographic}|\p{Cc}/u
const isUpright = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

let loading: Promise<void> | undefined

/** Loads the fonts into the process, whatever fonts the machine has. */
async function loadFonts(): Promise<void> {
  const sharp = await loadSharp()
  const { resolve } = createRequire(import.meta.url)
  for (const { file } of fonts)
    await sharp({ text: { text: 'a', fontfile: resolve(`@expo-google-fonts/${file}`) } })
      .raw()
      .toBuffer()
}

/** Where a text has to fit, and how large it is at most. */
export interface Setting {
  size: number
  width: number
  height: number
  /** No text is drawn where it fits only below this size. */
  least?: number
  align?: 'left' | 'centre' | 'right'
}

/**
 * Shapes a text in any of the fonts' scripts, in either direction.
 *
 * @returns its shape, smaller than asked for where it doesn't fit; null if it is empty, fits in no
 *   size, or the fonts lack its script
 */
export async function letters(text: string, setting: Setting): Promise<Mask | null> {
  return shape(escapedText(text), setting)
}

/**
 * Shapes a text that runs down the spine of a book; Chinese, Japanese and Korean characters stand
 * upright.
 *
 * @param setting with the length of the spine as its width
 */
export async function spineLetters(text: string, setting: Setting): Promise<Mask | null> {
  const escaped = escapedText(text)
  const markup = isUpright.test(text) ? `<span gravity="east">${escaped}</span>` : escaped
  const mask = await shape(escaped && markup, setting)
  return mask && turned(mask)
}

/** @returns the text for Pango; '' if the fonts lack one of its characters */
function escapedText(text: string): string {
  const words = cutText(text.trim(), 120)
  return written.test(words) && !unwritten.test(words) ? escapeUTF8(words) : ''
}

async function shape(markup: string, setting: Setting): Promise<Mask | null> {
  if (!markup) return null
  const { size, width, height, least = 0, align = 'left' } = setting
  await (loading ??= loadFonts())
  const sharp = await loadSharp()
  const tries = [1, 0.8, 0.65, 0.55].map((part) => ({ points: size * part, wrap: 'word' as const }))
  for (const { points, wrap } of [...tries, { points: size * 0.55, wrap: 'word-char' as const }]) {
    if (points < least) continue
    const font = `${families} ${Math.round(points)}`
    try {
      const { data, info } = await sharp({ text: { text: markup, font, width, align, wrap } })
        .extractChannel(0)
        .raw()
        .toBuffer({ resolveWithObject: true })
      if (info.height <= height && info.width <= width)
        return { width: info.width, height: info.height, coverage: data }
    } catch {
      return null
    }
  }
  return null
}

/** @returns the shape turned clockwise */
function turned({ width, height, coverage }: Mask): Mask {
  const result = new Uint8Array(coverage.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) result[x * height + height - 1 - y] = coverage[y * width + x]!
  return { width: height, height: width, coverage: result }
}
