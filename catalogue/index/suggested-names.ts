import type { NamedPage } from '#shared/series.ts'
import { foldTitle, foldWords, indexText, isUnspacedToken } from '../text/fold.ts'
import { articles, withoutArticle } from '../text/words.ts'
import type { IndexReader } from './index-reader.ts'
import { authorId } from './names.ts'
import { worksWith } from './suggestions.ts'

/** Series and authors that a text names, each best known first. */
export interface SuggestedNames {
  series: NamedPage[]
  authors: NamedPage[]
}

/** The most of each kind. */
const maxNames = 2

/**
 * Finds series whose names begin with a text, and authors whose names contain all of its words, the
 * last one as their surname.
 *
 * @param isOpen whether the last word may be incomplete
 */
export function suggestedNames(reader: IndexReader, text: string, isOpen: boolean): SuggestedNames {
  return {
    series: reader.seriesBegunBy(beginnings(text), isOpen, maxNames),
    authors: authorsNamed(reader, text, isOpen),
  }
}

/** The beginnings of ids under which a series may stand, as its name may have an article. */
function beginnings(text: string): string[] {
  const bare = withoutArticle(foldTitle(text))
  if (bare === '') return []
  return [bare, ...[...articles].map((article) => `${article} ${bare}`)].map(authorId)
}

function authorsNamed(reader: IndexReader, text: string, isOpen: boolean): NamedPage[] {
  const words = foldWords(text)
  const last = words.pop()
  if (last === undefined) return []
  const works = isOpen ? worksWith(reader, words, [last]) : worksWith(reader, [...words, last], [])
  const isLast = (word: string) => (isOpen ? word.startsWith(last) : word === last)
  const isMeant = (name: string) => {
    // With other spellings, such as "jrr".
    const own = indexText(name).split(' ')
    // Chinese and Japanese names begin with the surname.
    const surnames = isUnspacedToken(last) ? own : foldWords(name).slice(-1)
    return surnames.some(isLast) && words.every((word) => own.includes(word))
  }
  const named = new Map<string, NamedPage>()
  for (const name of reader.authorsOf(works).filter(isMeant)) {
    const id = authorId(name)
    if (!named.has(id)) named.set(id, { id, name })
  }
  return [...named.values()].slice(0, maxNames)
}
