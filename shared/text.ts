import { westernDigits } from './digits.ts'

/**
 * The display width of a text: full-width characters (kanji, kana, hangul) count as two, others as
 * one. Limits on names and searches use it, so that a title of two kanji passes a minimum of three.
 *
 * @returns the length in half-width characters
 */
export function displayWidth(text: string): number {
  let length = 0
  for (const character of text) length += fullWidth.test(character) ? 2 : 1
  return length
}

const fullWidth =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u

/**
 * The class of {@link fullWidth} with literal characters, as JSON Schema's patterns have no such
 * escapes.
 */
export const fullWidthClass = fullWidth.source.replace(/\\u\{?([\dA-F]+)\}?/g, (_, hex: string) =>
  String.fromCodePoint(Number.parseInt(hex, 16)),
)

/**
 * Whether a text fits a maximum length. JSON Schema's `maxLength` counts code points, where
 * JavaScript's `length` counts most emoji twice.
 */
export function fitsLength(text: string, characters: number): boolean {
  return (
    text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters)
  )
}

/**
 * Limits the marks on any letter to 30 (Unicode's stream-safe format), as sorting marks takes
 * quadratic time.
 */
export function streamSafe(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1')
}

/**
 * Scripts that are read without their marks: accents, and the vowels of Arabic and Hebrew. In others
 * marks are part of the word: voiced kana, the vowels of Indian scripts.
 */
const optionallyMarked =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu

/** A letter or digit, and all that follows it up to a space or a sign. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu

/**
 * Letters that Unicode doesn't decompose, and those that Persian and Urdu keyboards have for the same
 * letter.
 */
const otherLetters: Readonly<Record<string, string>> = Object.fromEntries(
  'ß ss, æ ae, œ oe, ø o, ı i, đ d, ð d, ħ h, ł l, þ th, ς σ, ی ي, ک ك, ہ ه'
    .split(', ')
    .map((pair) => pair.split(' ')),
)
const otherLetter = new RegExp(`[${Object.keys(otherLetters).join('')}]`, 'g')

/** Apostrophes, also those of transcriptions, and the tatweel, which stretches Arabic words. */
const unread = /[’‘'`´′\u02B9-\u02BC\u02BE\u02BF\u0640]/g

/**
 * Characters that can't be seen, such as soft hyphens, marks of direction and variation selectors. The
 * zero width non-joiner of Persian is where others have a space.
 */
const invisible = /(?!\u200C)\p{Default_Ignorable_Code_Point}+/gu

/** @returns whether anything of the text can be seen */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text)

/**
 * Folds a text for comparison: compatibility forms unified, invisible characters, apostrophes and
 * marks that readers may leave out removed, lower case, digits of all scripts as 0 to 9, punctuation
 * and whitespace as single spaces.
 *
 * @returns the folded text, possibly empty
 */
export function foldText(text: string): string {
  const plain = streamSafe(text)
    .replace(invisible, '')
    .normalize('NFKD')
    .replace(unread, '')
    .replace(optionallyMarked, '')
    .toLowerCase()
    .replace(otherLetter, (letter) => otherLetters[letter] ?? letter)
  return (westernDigits(plain).match(word) ?? []).join(' ').normalize('NFC')
}

/** Older browsers split by code points. */
const segmenter =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : null

/** @returns the characters of a text as people see them: a flag, a family, a letter with its marks */
export const charactersOf = (text: string): string[] =>
  segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]

/** More than any character has, in UTF-16 code units. */
const longestCharacter = 100

/** @returns the first character, in upper case where that is one character too; '' if there is none */
export function initialOf(text: string): string {
  const visible = text.replace(/^[\s\p{Default_Ignorable_Code_Point}\p{M}\p{Cc}\u2800]+/u, '')
  const [first = ''] = charactersOf(visible.slice(0, longestCharacter))
  const upper = first.toUpperCase()
  return charactersOf(upper).length > 1 ? first : upper
}

/** @returns as much of the text as fits, in UTF-16 code units, without a part of a character */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const end = segmenter?.segment(text.slice(0, most + longestCharacter)).containing(most)?.index
  return text.slice(0, end || most).replace(/[\uD800-\uDBFF]$/, '')
}

/** @returns the text without the zero character, which PostgreSQL can't store */
export const withoutZeros = (text: string): string => text.replaceAll('\0', '')
