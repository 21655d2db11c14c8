import { editDistance } from '#catalogue/in-thread.ts'
import { foldText } from '#shared/text.ts'
import { namesOtherBook, titleParts, type TitleParts } from './titles.ts'

/** What two books are compared by. */
export interface Titled {
  title: string
  authors: readonly string[]
}

export const isSameVolume = (a: TitleParts, b: TitleParts) =>
  a.kind === b.kind &&
  (a.volume === b.volume || (a.isFirst && !b.volume) || (b.isFirst && !a.volume))

/** Letters of a title per allowed typo, and for books with one ISBN. */
const [lettersForOne, lettersWithIsbn] = [6, 4]

/**
 * Whether the main titles are equal or a few letters apart. Numbers must be equal, as they
 * distinguish volumes.
 */
export function isNear(read: Titled, book: Titled, letters = lettersForOne): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  const most = Math.min(3, Math.floor(Math.min(a.main.length, b.main.length) / letters))
  const digits = ({ main }: TitleParts) => main.replace(/[^\d ]/g, '').trim()
  if (!a.main || digits(a) !== digits(b) || !isSameVolume({ ...a, kind: b.kind }, b)) return false
  return a.main === b.main || (most > 0 && editDistance(a.main, b.main, most) <= most)
}

/** Whether the main titles are equal, and the books share an author if both have any. */
export function isSameWork(read: Titled, book: Titled): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  if (!a.main || a.main !== b.main || !isSameVolume(a, b)) return false
  return !read.authors.length || !book.authors.length || sharesAuthor(read, book)
}

/**
 * The same for books with one ISBN, whose titles may be some letters apart, and whose authors only
 * have to be alike: Dostoevsky, Dostoyevsky.
 */
export function isSameEdition(read: Titled, book: Titled): boolean {
  if (isSameWork(read, book)) return true
  const isVolume = isSameVolume(titleParts(read.title), titleParts(book.title))
  return isVolume && isNear(read, book, lettersWithIsbn) && areAuthorsAlike(read, book)
}

/**
 * @returns the main title with its volume, folded, which all forms of a title share; the first of a
 *   series is often named without a number
 */
export function workTitle(title: string): string {
  const { main, volume } = titleParts(title)
  return volume && volume !== '1' ? `${main} ${volume}` : main
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

/** Whether only one of them names its authors in Latin letters, so that the names can't be compared. */
export function isInOtherScript(read: Titled, book: Titled): boolean {
  const isLatin = ({ authors }: Titled) =>
    authors.slice(0, maxAuthors).some((name) => /\p{Script=Latin}/u.test(name.slice(0, maxName)))
  return isLatin(read) !== isLatin(book)
}

/** Letters of a name that say something, and per letter that two spellings may differ in. */
const [lettersOfName, lettersPerSpelling] = [3, 4]

/** Whether any of their authors can be the same person in another spelling or script. */
function areAuthorsAlike(read: Titled, book: Titled): boolean {
  const [known, names] = [read, book].map(({ authors }) =>
    authors.slice(0, maxAuthors).flatMap(wordsOf),
  ) as [string[], string[]]
  if (isInOtherScript(read, book)) return true
  const long = names.filter((word) => word.length >= lettersOfName)
  return known.some((word) => {
    const most = Math.floor(word.length / lettersPerSpelling)
    return long.some(
      (other) => word === other || (most > 0 && editDistance(word, other, most) <= most),
    )
  })
}

/** A book as a catalogue names it. */
type Found = Titled & { subtitle?: string }

/**
 * @param found what a catalogue has found under an author, whose name it knows in other scripts, too
 * @returns those that can be by the author
 */
export const foundUnder = <Book extends Found>(read: Titled, found: readonly Book[]): Book[] =>
  found.filter((one) => sharesAuthor(read, one) || isInOtherScript(read, one))

/**
 * @param found books by the author
 * @returns the one that the title means without a doubt: the same, or the only one that has just a
 *   subtitle more
 */
export function surelyNamed<Book extends Found>(
  { title }: Titled,
  found: readonly Book[],
): Book | undefined {
  const titlesOf = (one: Book) =>
    one.subtitle ? [one.title, `${one.title}: ${one.subtitle}`] : [one.title]
  const same = found.find((one) => titlesOf(one).some((other) => isSameTitle(title, other)))
  if (same) return same
  const [only, ...others] = found.filter((one) => isSameWork({ title, authors: [] }, one))
  return only && !others.length && lacksSubtitle(title, only.title) ? only : undefined
}

/** Whether the whole titles are equal, except for a series in brackets. */
function isSameTitle(one: string, other: string): boolean {
  const [a, b] = [titleParts(one), titleParts(other)]
  return a.whole !== '' && a.whole === b.whole && isSameVolume(a, b)
}

/** Whether a title only lacks the subtitle of a book, which doesn't make it another book. */
function lacksSubtitle(title: string, book: string): boolean {
  const [a, b] = [titleParts(title), titleParts(book)]
  if (a.subtitle || !b.subtitle || namesOtherBook(b.subtitle)) return false
  return a.main === b.main && isSameVolume(a, b)
}
