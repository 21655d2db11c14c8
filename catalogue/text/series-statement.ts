import { foldTitle } from './fold.ts'
import { numberOf, romanNumber } from './words.ts'

/** What an edition says of its place in a series. */
export interface SeriesStatement {
  name: string
  position: string
}

/** Words before the number, as cataloguers write them. */
const numberWords = new Set(
  'v vol volume bk book no nr number pt part bd band t tome tom'.split(' '),
)
const [longest, longestName] = [200, 120]

const position = /(?<![\p{L}\p{N}-])\d{1,3}(?:\.\d{1,2})?(?:-\d{1,3})?$/u

/**
 * Reads statements such as "Dune, #1", "Dune ; v. 3", "Dune, Part III" or "(The Expanse 2)".
 *
 * @returns null without a name, or without a number of at most three digits behind it; a number in
 *   letters counts behind a word such as "Part"
 */
export function seriesStatement(text: string): SeriesStatement | null {
  if (text.length > longest) return null
  const statement = withoutPunctuation(text)
  const [digits] = position.exec(statement) ?? []
  const number = digits ?? statement.slice(statement.lastIndexOf(' ') + 1)
  const before = withoutPunctuation(statement.slice(0, statement.length - number.length))
  const space = before.lastIndexOf(' ')
  const isNumberWord = numberWords.has(before.slice(space + 1).toLowerCase())
  if (digits === undefined && !isNumberWord) return null
  const name = isNumberWord ? withoutPunctuation(before.slice(0, Math.max(space, 0))) : before
  if (name.length > longestName || foldTitle(name) === '') return null
  const place = digits?.split('-').map(Number).join('-') ?? inDigits(number.toLowerCase())
  return place === null ? null : { name, position: place }
}

/** @returns a Roman numeral or an English word for a number as digits; null for other words */
function inDigits(word: string): string | null {
  const number = romanNumber(word) || numberOf([word])
  return number ? String(number) : null
}

const withoutPunctuation = (text: string) =>
  text.replaceAll(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')

/** What an edition states in its title and its list of series, without its publisher's own. */
export function seriesStatements(
  title: string,
  series: readonly string[],
  publisher: string,
): SeriesStatement[] {
  return [...statementsInTitle(title), ...series.flatMap((text) => seriesStatement(text) ?? [])]
    .filter(({ name }) => !isPublishersOwn(name, publisher))
    .slice(0, maxStatements)
}

const maxStatements = 4

/** Reads the brackets behind a title, such as "Dune Messiah (Dune, #2; Arrakis, #3)". */
export function statementsInTitle(title: string): SeriesStatement[] {
  const start = title.lastIndexOf('(')
  if (start < 1 || !title.endsWith(')')) return []
  return title
    .slice(start + 1, -1)
    .split(';')
    .filter((part) => part.includes('#'))
    .flatMap((part) => seriesStatement(part) ?? [])
}

/** Words of publishers' names that say nothing. */
const anyPublisher = new Set(
  'the and of book books press house library publishing publishers publications group'.split(' '),
)

/** @returns whether a series is named after its publisher, and so is a collection of its books */
export function isPublishersOwn(series: string, publisher: string): boolean {
  const words = foldTitle(publisher).split(' ')
  const telling = words.filter((word) => word.length > 2 && !anyPublisher.has(word))
  const named = foldTitle(series).split(' ')
  return telling.some((word) => named.includes(word))
}
