/** Letters of scripts that are written from right to left: Hebrew, Arabic and others. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const leftToRight =
  /(?![\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}])\p{L}/u

/**
 * Isolates a title or name of the other direction in a sentence, so that it doesn't change the order
 * of what stands beside it (Unicode's bidirectional algorithm, section 2.4).
 *
 * @param direction the sentence's
 * @returns the text between isolates; as it is if nothing in it is of the other direction, and if it
 *   is a link, which programs find in a text by themselves
 */
export function isolated(text: string, direction: 'ltr' | 'rtl'): string {
  const other = direction === 'ltr' ? rightToLeft : leftToRight
  return other.test(text) && !/^https?:/.test(text) ? `\u2068${text}\u2069` : text
}
