import { foldWords, indexText } from '#catalogue/index.ts'
import type { Folded } from '#records/index.ts'
import { sortKey } from '#shared/sort-key.ts'

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

/** Searches a field of {@link wordsOf} for words, the last of which may go on. */
export function foldedAs(field: string): Folded {
  return { field, by: (text) => foldWords(text).join(' ') }
}
