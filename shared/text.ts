/**
 * How long a text is to the eye: a full-width character (kanji, kana, hangul) counts as two,
 * every other as one. Limits on names and searches use it, so a two-kanji title passes a
 * minimum of three, while Latin text is counted exactly.
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
 * What {@link fullWidth} matches, spelled with the characters themselves: JSON Schema's patterns have
 * no escapes for them.
 */
export const fullWidthClass = fullWidth.source.replace(/\\u\{?([\dA-F]+)\}?/g, (_, hex: string) =>
  String.fromCodePoint(Number.parseInt(hex, 16)),
)

/**
 * Whether a text has at most so many characters. JSON Schema's `maxLength` counts code points, where
 * JavaScript's `length` counts most emoji twice.
 */
export function fitsLength(text: string, characters: number): boolean {
  return (
    text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters)
  )
}

/**
 * A text with at most 30 marks on any letter, in Unicode's stream-safe form: to bring marks into
 * their order takes the square of their number.
 */
export function streamSafe(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1')
}

/**
 * A text as it is compared: compatibility forms unified, Latin, Greek and Cyrillic marks taken
 * off, lower case, punctuation and runs of space turned into single spaces.
 *
 * @returns the folded text, possibly empty
 */
export function foldText(text: string): string {
  return (
    streamSafe(text)
      .normalize('NFKD')
      // Elsewhere marks are letters: a kana's voicing, a vowel.
      .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '')
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .replace(/æ/g, 'ae')
      .replace(/œ/g, 'oe')
      .replace(/ø/g, 'o')
      .replace(/ı/g, 'i')
      .replace(/[’'`´]/g, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .normalize('NFC')
  )
}
