import { isStopWord, withoutArticle } from './words.ts'

const fewestLetters = 3
const maxLetters = 8

/**
 * The initials by which readers call a popular book: lotr, got and agot, p and p (the folded form
 * of P&P).
 *
 * @param folded its title, folded by `foldTitle`
 * @returns the initials of its words, with and without its article, and of both sides of an "and";
 *   none for titles in other scripts or with too few words
 */
export function initialsOf(folded: string): string[] {
  if (!/^[a-z][a-z ]*$/.test(folded)) return []
  const bare = withoutArticle(folded)
  const short = [folded, bare]
    .map((title) =>
      title
        .split(' ')
        .map(([first]) => first)
        .join(''),
    )
    .filter(({ length }) => length >= fewestLetters && length <= maxLetters)
    .filter((initials) => !isStopWord(initials))
  const [, one, other] = /^([a-z])[a-z]* and (?:the )?([a-z])[a-z]*$/.exec(bare) ?? []
  return [...new Set([...short, ...(one && other ? [`${one} and ${other}`] : [])])]
}
