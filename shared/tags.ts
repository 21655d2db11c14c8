import { foldText, isVisible } from './text.ts'

export const maxTags = 20
export const maxTagLength = 40

/** What can't be seen, but for the joiner and the tags that emoji are made of. */
const invisible = /(?![\u200D\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}/gu

/**
 * @returns a key that all spellings of a tag share: it ignores case, accents, punctuation and the
 *   style of an emoji, but tells C, C++ and C# apart
 */
export function tagKey(name: string): string {
  const text = name.normalize('NFKC').replace(invisible, '').trim()
  const folded = foldText(text)
  const signs = /(?<=\p{L})[+#]{1,3}$/u.exec(text)?.[0] ?? ''
  return folded ? folded + signs : text.toLowerCase()
}

/** @returns the names trimmed, without invisible ones and duplicates; the first spelling counts */
export function cleanTags(names: readonly string[]): string[] {
  const distinct = new Map<string, string>()
  for (const name of names) {
    const tag = name.replaceAll(/\s+/g, ' ').trim()
    const key = tagKey(tag)
    if (key && isVisible(tag) && !distinct.has(key)) distinct.set(key, tag)
  }
  return [...distinct.values()]
}

/** The most tags of one answer of `GET /api/v1/users/{username}/tags`. */
export const maxTagsPerPage = 1000
