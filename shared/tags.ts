import { foldText } from './text.ts'

export const maxTags = 20
export const maxTagLength = 40

/** @returns a key that ignores case, accents and punctuation, but for C, C++ and C# */
export function tagKey(name: string): string {
  const folded = foldText(name)
  const signs = /(?<=\p{L})[+#]{1,3}$/u.exec(name.trim())?.[0] ?? ''
  return folded ? folded + signs : name.toLowerCase()
}

/** @returns the names trimmed and without duplicates; the first spelling counts */
export function cleanTags(names: readonly string[]): string[] {
  const distinct = new Map<string, string>()
  for (const name of names) {
    const tag = name.replaceAll(/\s+/g, ' ').trim()
    const key = tagKey(tag)
    if (tag && !distinct.has(key)) distinct.set(key, tag)
  }
  return [...distinct.values()]
}
