import { foldText } from '#shared/text.ts'
import { collapseSpaces } from './cells.ts'

/** What follows a name after a comma and is part of it. */
const suffix =
  /^(?:jr|sr|ii|iii|iv|esq|ph ?d|m ?d|r ?d|r ?n|d ?d ?s|d ?o|j ?d|m ?a|b ?a|m ?s|m ?sc|b ?sc|m ?b ?a|ed ?d|psy ?d|d ?phil|d ?d|th ?d|l ?c ?s ?w|c ?p ?a|o ?b ?e|c ?b ?e|m ?b ?e|f ?b ?a)$/
const isSuffix = (name: string) => suffix.test(foldText(name.slice(0, 40)))

/** Words that a last name can begin with. */
const particle =
  /^(?:le|la|de|del|della|di|da|do|dos|du|des|van|von|der|den|ten|ter|el|al|st|mac|o|zu|bin|ibn|abu|ben)$/
const maxName = 300

/** The words of a name, folded; "Jean-Paul" is one. */
const wordsOf = (name: string) => collapseSpaces(name.slice(0, maxName)).split(' ').map(foldText)

/** Whether a text can only be a last name: one word, or one with particles before it. */
function isLastName(name: string): boolean {
  const words = wordsOf(name)
  return words.length === 1 || words.slice(0, -1).every((word) => particle.test(word))
}

/** Whether a text is one first name, with initials if any. */
function isFirstName(name: string): boolean {
  const words = wordsOf(name)
  return words.filter((word) => !isInitials(word)).length <= 1 && words.length <= 4
}

/** Whether a folded word is an initial, or several: "j", "j r r". */
const isInitials = (word: string) => word.split(' ').every((part) => [...part].length <= 1)

/** Converts "Le Guin, Ursula K." to "Ursula K. Le Guin". */
export function firstNameFirst(name: string): string {
  const [last = '', first = '', ...rest] = joinSuffixes(splitParts(name))
  return first && !rest.length ? `${first} ${last}` : collapseSpaces(name)
}

const namesAtMost = 1000
const splitParts = (text: string) => text.split(',', namesAtMost).map(collapseSpaces)

/** Puts "Jr." or "PhD" back to the name before it. */
function joinSuffixes(parts: readonly string[]): string[] {
  const names: string[] = []
  for (const part of parts)
    if (names.length && isSuffix(part)) names.push(`${names.pop()!}, ${part}`)
    else if (part) names.push(part)
  return names
}

/** Finds out from all cells of a column whether last names come first in it. */
export class NameOrder {
  #inverted = 0
  #plain = 0

  add(text: string): void {
    for (const group of text.split(betweenNames, namesAtMost)) {
      const [last = '', first, ...others] = joinSuffixes(splitParts(group))
      if (first === undefined) this.#plain += last.includes(' ') ? 1 : 0
      else if (!others.length && isInverted(last, first)) this.#inverted++
    }
  }

  get isInverted(): boolean {
    return this.#inverted > this.#plain
  }
}

const betweenNames = /[;&]/
const betweenInverted = /[;&]| and | und | et /

/** Whether "King, Stephen" is one name, wherever it stands. */
const isInverted = (last: string, first: string) => isLastName(last) && isFirstName(first)

/**
 * Splits the names of people: at semicolons and ampersands, and at commas unless they belong to a
 * name, as in "King, Stephen" or "Martin Writer, Jr.".
 *
 * @param areInverted whether last names come first in the column, as {@link NameOrder} finds out
 * @returns the names with the first name first; a person listed twice comes once
 */
export function splitPeople(text = '', areInverted = false): string[] {
  const groups = text.split(areInverted ? betweenInverted : betweenNames, namesAtMost)
  return distinctPeople(
    groups.flatMap((group) => {
      const names = joinSuffixes(splitParts(group))
      // Nobody is called "J." alone.
      const haveInitials = names.every(
        (name, at) => at % 2 === 0 || wordsOf(name).every(isInitials),
      )
      if (areInverted || haveInitials) return joinPairs(names)
      const [last = '', first = ''] = names
      return names.length === 2 && isInverted(last, first) ? [`${first} ${last}`] : names
    }),
  )
}

/** Joins last and first names that take turns: "Smith, J., Jones, K." */
function joinPairs(parts: readonly string[]): string[] {
  const pairs = Array.from({ length: parts.length / 2 }, (_, at) => parts.slice(2 * at, 2 * at + 2))
  const arePairs = pairs.every(([last = '', first = '']) => isLastName(last) || isFirstName(first))
  if (parts.length % 2 || !arePairs) return [...parts]
  return pairs.map(([last, first]) => `${first} ${last}`)
}

/** Splits names that are only separated by commas, as by trackers that never invert them. */
export const splitNames = (text = '') => distinctPeople(joinSuffixes(splitParts(text)))

/** @returns the names without those that only differ in signs or in a role, such as "(Translator)" */
export function distinctPeople(names: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const name of names.map(collapseSpaces).filter(Boolean)) {
    const key = foldText(name.slice(0, maxName).replace(/\([^()]*\)/g, '')) || name
    if (!seen.has(key)) seen.set(key, name)
  }
  return [...seen.values()]
}
