import { foldTitle, foldWords } from './fold.ts'
import type { IndexReader } from './index-reader.ts'
import { hash, isStopWord, titleKeys } from './words.ts'

/** A book as somebody else's list names it; empty is unknown. */
export interface BookReference {
  isbn: string
  /** The title in every form it may have, the whole one first. */
  titles: string[]
  authors: string[]
}

/** Works of one title that a look-up considers, and books it gives. */
const maxWorks = 20
const maxNamed = 5

/**
 * Works that may be meant by a title and one of its authors, best known first: those with this very
 * title, otherwise those of the author whose titles have its words. Much cheaper than a search,
 * which puts wrong letters right and ranks.
 *
 * @returns ids of the editions to show
 */
export function findReferenced(reader: IndexReader, { titles, authors }: BookReference): number[] {
  const names = [...new Set(authors.map(lastName))].filter(Boolean)
  if (!names.length) return []
  const folded = [...new Set(titles.map(foldTitle))].filter(Boolean)
  const docs = reader.docs(reader.titled(folded.flatMap(titleKeys).map(hash)))
  const titled = docs.filter(({ author }) => names.some((name) => author.includes(` ${name} `)))
  const found = titled.length ? titled : byWords(reader, folded.at(-1) ?? '', names)
  return found.slice(0, maxNamed).map(({ editionId }) => editionId)
}

function byWords(reader: IndexReader, title: string, names: readonly string[]) {
  const words = [...new Set(foldWords(title))]
  const telling = words.filter((word) => !isStopWord(word))
  const some = telling.length ? telling : words
  if (!some.length) return []
  const by = `{author} : (${names.map(quoted).join(' OR ')})`
  const works = (operator: string) =>
    reader.match(`${by} AND {title alt} : (${some.map(quoted).join(operator)})`, maxWorks)
  const all = works(' AND ')
  return reader.docs(all.length || some.length < 2 ? all : works(' OR '))
}

const quoted = (text: string) => `"${text}"`

/** @returns the last word of a name, but for a title behind it, as the index has it */
function lastName(author: string): string {
  const words = foldTitle(author)
    .split(' ')
    .filter((word) => !/^(?:jr|sr|ii|iii|dr|sir)$/.test(word))
  return foldWords(words.at(-1) ?? '').join(' ')
}
