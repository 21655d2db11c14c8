import { foldTitle, foldWords } from '../text/fold.ts'
import type { IndexReader } from '../reading/index-reader.ts'
import { hash, isStopWord, titleKeys } from '../text/words.ts'

/** A book as another list names it; empty fields are unknown. */
export interface BookReference {
  isbn: string
  /** The possible forms of the title, the full one first. */
  titles: string[]
  authors: string[]
}

/** Authors, and words of a title, by which a book is looked up: more could hold up searches. */
const [maxAuthors, maxWords] = [16, 16]
/** Characters of a title or a name. */
const maxLength = 300

/** @returns the reference without what no look-up needs, however much a file gives */
export function boundReference({ isbn, titles, authors }: BookReference): BookReference {
  const short = (texts: readonly string[]) => texts.map((text) => text.slice(0, maxLength))
  return { isbn, titles: short(titles), authors: short(authors.slice(0, maxAuthors)) }
}

/** The most works of one title that a lookup considers, and books it returns. */
const maxWorks = 20
const maxNamed = 5

/**
 * Finds works by a title and one of its authors, best known first: those with this exact title,
 * otherwise the author's works whose titles contain its words. It is much cheaper than a search,
 * which corrects typos and ranks.
 *
 * @returns edition ids
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
  const some = (telling.length ? telling : words).slice(0, maxWords)
  if (!some.length) return []
  const by = `{author} : (${names.map(quoted).join(' OR ')})`
  const works = (operator: string) =>
    reader.match(`${by} AND {title alt} : (${some.map(quoted).join(operator)})`, maxWorks)
  const all = works(' AND ')
  return reader.docs(all.length || some.length < 2 ? all : works(' OR '))
}

const quoted = (text: string) => `"${text}"`

/** @returns the last word of a name, without a trailing title, folded */
function lastName(author: string): string {
  const words = foldTitle(author)
    .split(' ')
    .filter((word) => !/^(?:jr|sr|ii|iii|dr|sir)$/.test(word))
  return foldWords(words.at(-1) ?? '').join(' ')
}
