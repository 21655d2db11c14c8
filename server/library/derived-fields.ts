import { foldWords, indexText } from '#catalogue/index.ts'
import type { Folded } from '#records/index.ts'
import { sortKey } from '#shared/sort-key.ts'
import { tagKey } from '#shared/tags.ts'

/** A field of 16 KB has at most twice as many characters in all of its spellings. */
const hidden = { type: 'text', max: 65_536, readable: 'nobody', writable: 'never' } as const

/** A text, or a list of names. */
const textOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value ?? '']).map(String).join(', ')

/** The key that a title, a name or a list of names is sorted by. */
export function sortKeyOf<Name extends string>(name: Name) {
  const by = (value: unknown) => sortKey(textOf(value))
  return { ...hidden, name: `${name}_key` as const, derived: { from: name, by } }
}

/** The words of a text, each with a space before it, as search and the filters compare them. */
export function wordsOf<Name extends string>(name: Name) {
  const by = (value: unknown) => ` ${indexText(textOf(value))}`
  return { ...hidden, name: `${name}_words` as const, derived: { from: name, by } }
}

/** The keys of a book's tags, each on a line of its own. */
export const tagKeys = {
  ...hidden,
  name: 'tags_keys',
  derived: { from: 'tags', by: (tags: unknown) => linesOf(Array.isArray(tags) ? tags : []) },
} as const

const linesOf = (tags: readonly unknown[]) =>
  tags.map((tag) => `\n${tagKey(String(tag))}\n`).join('')

/** Searches {@link tagKeys} for one whole tag, in any spelling. */
export const tagFolded: Folded = { field: tagKeys.name, by: (tag) => linesOf([tag]) }

/** Searches a field of {@link wordsOf} for words, the last of which may go on. */
export function foldedAs(field: string): Folded {
  return { field, by: (text) => foldWords(text).join(' ') }
}
