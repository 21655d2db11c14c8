/** The mark on both sides of a passage that tells the story: `||She is the thief.||` */
export const spoilerMark = '||'

/**
 * Splits a text at its spoiler marks. A last mark without another is text.
 *
 * @returns passages, of which every second one is a spoiler
 */
export function spoilerPassages(text: string): string[] {
  const passages = text.split(spoilerMark)
  if (passages.length % 2 === 0) passages.push(passages.splice(-2).join(spoilerMark))
  return passages
}
