import { foldText } from './text.ts'

export const maxTags = 20
export const maxTagLength = 40

/** @returns a key that ignores case, accents and punctuation */
export function tagKey(name: string): string {
  return foldText(name) || name.toLowerCase()
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
