import type { NamedPage } from '#shared/series.ts'
import { foldTitle, foldWords, indexText, isUnspacedToken } from '../text/fold.ts'
import type { IndexReader } from './index-reader.ts'
import { authorId } from '../index/names.ts'
import type { TypedText } from './suggestions.ts'

/** Series and authors that a text names, each best known first. */
export interface SuggestedNames {
  series: NamedPage[]
  authors: NamedPage[]
}

/** The most of each kind. */
const maxNames = 2

/**
 * Finds series whose names begin with a text, unless a book that it finds is better known, and
 * authors whose names contain all of its words, the last one as their surname.
 */
export function suggestedNames(reader: IndexReader, typed: TypedText): SuggestedNames {
  const { text, words, works } = typed
  if (words.length === 0) return { series: [], authors: [] }
  const isOpen = typed.open.length > 0
  return {
    series: reader.seriesBegunBy(beginnings(text), { isOpen, limit: maxNames, upTo: works[0] }),
    authors: authorsOf(reader, works, { words, isOpen }),
  }
}

const articles = ['the', 'a', 'an']

/** The beginnings of ids under which a series may stand: with an article, or without "the". */
function beginnings(text: string): string[] {
  const folded = foldTitle(text)
  const bare = folded.startsWith('the ') ? [folded.slice('the '.length)] : []
  return [folded, ...bare, ...articles.map((article) => `${article} ${folded}`)].map(authorId)
}

function authorsOf(
  reader: IndexReader,
  works: number[],
  { words, isOpen }: { words: string[]; isOpen: boolean },
): NamedPage[] {
  const last = words.at(-1) ?? ''
  const isLast = (word: string) => (isOpen ? word.startsWith(last) : word === last)
  const isMeant = (name: string) => {
    // With other spellings, such as "jrr".
    const own = indexText(name).split(' ')
    // Chinese and Japanese names begin with the surname.
    const surnames = isUnspacedToken(last) ? own : foldWords(name).slice(-1)
    return surnames.some(isLast) && words.slice(0, -1).every((word) => own.includes(word))
  }
  const named = new Map<string, NamedPage>()
  for (const name of reader.authorsOf(works).filter(isMeant)) {
    const id = authorId(name)
    if (!named.has(id)) named.set(id, { id, name })
  }
  return [...named.values()].slice(0, maxNames)
}
