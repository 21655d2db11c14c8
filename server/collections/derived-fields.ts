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

/** The keys of a list of names, such as tags, each on a line of its own. */
export function nameKeysOf<Name extends string>(name: Name) {
  const by = (names: unknown) => linesOf(Array.isArray(names) ? names : [])
  return { ...hidden, name: `${name}_keys` as const, derived: { from: name, by } }
}

const linesOf = (names: readonly unknown[]) => names.map(lineOf).join('')

/** @returns the line of a name in a field of {@link nameKeysOf} */
export const lineOf = (name: unknown): string => `\n${tagKey(String(name))}\n`

/** Searches a field of {@link nameKeysOf} for one whole name, in any spelling. */
export function wholeName(field: string): Folded {
  // A name that has only signs keeps them; a percent sign is no wildcard there.
  return { field, by: (name) => lineOf(name).replaceAll('%', String.raw`\%`) }
}

/** Searches a field of {@link wordsOf} for words, the last of which may go on. */
export function foldedAs(field: string): Folded {
  return { field, by: (text) => foldWords(text).join(' ') }
}
