import { editDistance } from '#catalogue/in-thread.ts'
import type { FoundByName, FederatedCatalogue } from '#catalogue/index.ts'
import { recordedFacts, type Book } from '#shared/book.ts'
import type { ImportCandidate, ImportedBook, ImportReason, ImportRowState } from '#shared/import.ts'
import { foldText } from '#shared/text.ts'
import { firstNameFirst } from './people.ts'
import { letRequestsRun } from './throttle.ts'
import { titleParts, type TitleParts } from './titles.ts'

/** The result of looking a row up in the catalogue. */
export interface Match {
  state: Extract<ImportRowState, 'matched' | 'doubtful' | 'unmatched' | 'skipped'>
  reason: ImportReason | null
  candidates: ImportCandidate[]
  book: ImportCandidate | null
}

/**
 * Finds each row's book in the catalogue, by its ISBN, then by its title and author. Makes no
 * request to other catalogues. If the title or author differs, the reader decides.
 *
 * @returns one match per row, in the same order
 */
export async function matchBooks(
  catalogue: Pick<FederatedCatalogue, 'named'>,
  reads: readonly ImportedBook[],
): Promise<Match[]> {
  const found = await catalogue.named(
    reads.map(({ isbn, title, authors }) => ({
      isbn,
      titles: title ? spellings(title) : [],
      authors: authors.slice(0, maxAuthors).map(firstNameFirst),
    })),
  )
  const matches: Match[] = []
  for (const [at, read] of reads.entries()) {
    matches.push(matchOf(read, found[at]!))
    await letRequestsRun()
  }
  return matches
}

function matchOf(read: ImportedBook, { byIsbn, byName }: FoundByName): Match {
  if (byIsbn) {
    const book = candidateOf(byIsbn, read.isbn)
    if (!read.title || isSameEdition(read, byIsbn))
      return { state: 'matched', reason: null, candidates: [], book }
    return { state: 'doubtful', reason: disagreement(read, byIsbn), candidates: [book], book: null }
  }
  const found = byName.filter((book) => sharesAuthor(read, book))
  const same = found.find((one) => isSameTitle(read, one))
  if (same)
    return { state: 'matched', reason: null, candidates: [], book: candidateOf(same, read.isbn) }
  const near = found.filter((one) => isNear(read, one))
  if (!near.length) return unmatched(read)
  const candidates = near.map((one) => candidateOf(one, read.isbn))
  return { state: 'doubtful', reason: { key: 'similarInCatalogue' }, candidates, book: null }
}

function unmatched({ title, isbn }: ImportedBook): Match {
  // Without a title there is nothing to add.
  const state = title ? 'unmatched' : 'skipped'
  return { state, reason: reasonFor(), candidates: [], book: null }

  function reasonFor(): ImportReason {
    if (title) return { key: 'notInCatalogue' }
    return isbn ? { key: 'isbnWithoutTitle', params: { isbn } } : { key: 'bookWithoutTitle' }
  }
}

/** The forms of a title that a catalogue may have. */
function spellings(title: string): string[] {
  const bare = title.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '').trim() || title
  const main = bare.split(/:\s|\s[–—-]\s/)[0]?.trim() || bare
  const { volume } = titleParts(title)
  return [title, bare, main, ...(volume && bare !== title ? [`${bare}, Vol. ${volume}`] : [])]
}

/** Says in what a row and the book that its ISBN finds disagree. */
function disagreement(read: ImportedBook, { title, authors }: Book): ImportReason {
  const { isbn } = read
  const [a, b] = [titleParts(read.title), titleParts(title)]
  if (a.main !== b.main) return { key: 'isbnIsOther', params: { isbn, title } }
  if (!isSameVolume(a, b)) return { key: 'isbnOtherVolume', params: { isbn, title } }
  return { key: 'isbnOtherAuthor', params: { isbn, authors: authors.join(', ') } }
}

const isSameVolume = (a: TitleParts, b: TitleParts) => a.volume === b.volume && a.kind === b.kind

/** Whether the whole titles are equal, except for a series in brackets. */
function isSameTitle(read: ImportedBook, book: Book): boolean {
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
function isNear(read: ImportedBook, book: Book): boolean {
  const [a, b] = [titleParts(read.title), titleParts(book.title)]
  const most = Math.min(3, Math.floor(Math.min(a.main.length, b.main.length) / lettersForOne))
  const numbers = ({ main, volume }: TitleParts) =>
    `${main.replace(/[^\d ]/g, '').trim()} ${volume}`
  if (!a.main || numbers(a) !== numbers(b)) return false
  return a.main === b.main || (most > 0 && editDistance(a.main, b.main, most) <= most)
}

type Titled = Pick<ImportedBook, 'title' | 'authors'>

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
function sharesAuthor(read: Titled, book: Titled): boolean {
  const [known, names] = [read, book].map(({ authors }) =>
    authors.slice(0, maxAuthors).map(nameOf),
  ) as [Name[], Name[]]
  return known.some(([last, initial]) =>
    names.some(([l, i]) => last === l && (!initial || !i || initial === i)),
  )
}

/** Authors of a book that are compared, and characters of each. */
const [maxAuthors, maxName] = [16, 300]

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

/** Keeps the row's ISBN, as it identifies the reader's edition. */
function candidateOf(book: Book, isbn: string): ImportCandidate {
  const facts = recordedFacts(book)
  return { id: book.id, ...facts, isbn: isbn || facts.isbn }
}
