import { editDistance } from '#catalogue/in-thread.ts'
import { foldText } from '#shared/text.ts'
import { titleParts, type TitleParts } from './titles.ts'

/** What two books are compared by. */
export interface Titled {
  title: string
  authors: readonly string[]
}

export const isSameVolume = (a: TitleParts, b: TitleParts) =>
  a.volume === b.volume && a.kind === b.kind

/** Whether the whole titles are equal, except for a series in brackets. */
export function isSameTitle(read: Titled, book: Titled): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  const isEqual = a.whole !== '' && a.whole === b.whole && isSameVolume(a, b)
  return isEqual && sharesAuthor(read, book)
}

/** Letters of a title per allowed typo. */
const lettersForOne = 6

/**
 * Whether the main titles are equal or a few letters apart. Numbers must be equal, as they
 * distinguish volumes.
 */
export function isNear(read: Titled, book: Titled): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  const most = Math.min(3, Math.floor(Math.min(a.main.length, b.main.length) / lettersForOne))
  const numbers = ({ main, volume }: TitleParts) =>
    `${main.replace(/[^\d ]/g, '').trim()} ${volume}`
  if (!a.main || numbers(a) !== numbers(b)) return false
  return a.main === b.main || (most > 0 && editDistance(a.main, b.main, most) <= most)
}

/** Whether the main titles are equal, and the books share an author if both have any. */
export function isSameWork(read: Titled, book: Titled): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  if (!a.main || a.main !== b.main || !isSameVolume(a, b)) return false
  return !read.authors.length || !book.authors.length || sharesAuthor(read, book)
}

/** The same for books with one ISBN, whose authors only have to be alike: Dostoevsky, Dostoyevsky. */
export function isSameEdition(read: Titled, book: Titled): boolean {
  if (isSameWork(read, book)) return true
  return isSameWork({ ...read, authors: [] }, book) && areAuthorsAlike(read, book)
}

/** @returns the main title with its volume, folded, which all forms of a title share */
export function workTitle(title: string): string {
  const { main, volume } = titleParts(title)
  return volume ? `${main} ${volume}` : main
}

/**
 * Compares two books that trackers may name differently: `same` if only a series in brackets
 * differs, `similar` if one has a subtitle or authors that the other lacks.
 */
export function compareTitles(a: Titled, b: Titled): 'same' | 'similar' | null {
  if (!isSameWork(a, b)) return null
  const [partsA, partsB] = [titleParts(a.title), titleParts(b.title)]
  // Volumes may differ only in their number.
  if (partsA.hasSeries && partsB.hasSeries && foldText(a.title) !== foldText(b.title)) return null
  if (partsA.whole === partsB.whole)
    return a.authors.length && b.authors.length ? 'same' : 'similar'
  const isShort = ({ whole, main }: TitleParts) => whole === main
  return isShort(partsA) || isShort(partsB) ? 'similar' : null
}

/** Whether any of their authors have the same last name and compatible initials. */
export function sharesAuthor(read: Titled, book: Titled): boolean {
  const [known, names] = [read, book].map(({ authors }) =>
    authors.slice(0, maxAuthors).map(nameOf),
  ) as [Name[], Name[]]
  return known.some(([last, initial]) =>
    names.some(([l, i]) => last === l && (!initial || !i || initial === i)),
  )
}

/** Authors of a book that are compared. */
export const maxAuthors = 16

/** Characters of an author that are compared. */
const maxName = 300

type Name = [last: string, initial: string]

const suffix = /^(?:jr|sr|ii|iii|iv|dr|sir|phd|md|rd|esq)$/

/** The words of a name, folded, with the last name at the end: also of "Dostoyevsky, Fyodor". */
function wordsOf(author: string): string[] {
  const bare = author.slice(0, maxName).replace(/\([^()]*\)/g, '')
  const words = (text: string) =>
    foldText(text)
      .split(' ')
      .filter((word) => word && !suffix.test(word))
  const [last = '', ...rest] = bare.split(',')
  return [...words(rest.join(' ')), ...words(last)]
}

/** @returns the last name, and the first name's initial */
export function nameOf(author: string): Name {
  const words = wordsOf(author)
  return [words.at(-1) ?? '', words.length > 1 ? (words[0]?.[0] ?? '') : '']
}

/** Letters of a name that say something, and per letter that two spellings may differ in. */
const [lettersOfName, lettersPerSpelling] = [3, 4]

/** Whether any of their authors can be the same person in another spelling or script. */
function areAuthorsAlike(read: Titled, book: Titled): boolean {
  const [known, names] = [read, book].map(({ authors }) =>
    authors.slice(0, maxAuthors).flatMap(wordsOf),
  ) as [string[], string[]]
  const isLatin = (all: readonly string[]) => /\p{Script=Latin}/u.test(all.join(''))
  if (isLatin(known) !== isLatin(names)) return true
  const long = names.filter((word) => word.length >= lettersOfName)
  return known.some((word) => {
    const most = Math.floor(word.length / lettersPerSpelling)
    return long.some(
      (other) => word === other || (most > 0 && editDistance(word, other, most) <= most),
    )
  })
}
