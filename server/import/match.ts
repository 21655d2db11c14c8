import { editDistance, foldTitle } from '#catalogue/in-thread.ts'
import type { FoundByName, FederatedCatalogue } from '#catalogue/index.ts'
import { isbnOf, type Book } from '#shared/book.ts'
import type { ImportCandidate, ImportedBook, ImportRowState } from '#shared/import.ts'
import { foldText } from '#shared/text.ts'
import { letRequestsRun } from './throttle.ts'

/** The result of looking a row up in the catalogue. */
export interface Match {
  state: Extract<ImportRowState, 'matched' | 'doubtful' | 'unmatched'>
  reason: string
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
      titles: title ? [title, withoutSeries(title), mainTitle(title)] : [],
      authors,
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
    if (!read.title || isSameWork(read, byIsbn))
      return { state: 'matched', reason: '', candidates: [], book }
    const reason = `In our catalogue ISBN ${read.isbn} is “${byIsbn.title}”.`
    return { state: 'doubtful', reason, candidates: [book], book: null }
  }
  const found = byName.filter((book) => sharesAuthor(read, book))
  const same = found.find((one) => isSameTitle(read, one))
  if (same)
    return { state: 'matched', reason: '', candidates: [], book: candidateOf(same, read.isbn) }
  const near = found.filter((one) => isSameWork(read, one) || isMistyped(read, one))
  if (!near.length) return unmatched(read)
  const reason = 'Our catalogue has a book whose title is similar.'
  const candidates = near.map((one) => candidateOf(one, read.isbn))
  return { state: 'doubtful', reason, candidates, book: null }
}

function unmatched({ title, isbn }: ImportedBook): Match {
  const reason = title
    ? 'Our catalogue doesn’t have this book.'
    : `Our catalogue doesn’t have ${isbn ? `the ISBN ${isbn}` : 'this book'}, and the file gives no title.`
  return { state: 'unmatched', reason, candidates: [], book: null }
}

const withoutSeries = (title: string) =>
  title.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '').trim() || title

/** Removes a series in brackets and a subtitle. */
function mainTitle(title: string): string {
  return (
    withoutSeries(title)
      .split(/:\s|\s[–—-]\s/)[0]
      ?.trim() || title
  )
}

/** Whether the whole titles are equal, except for a series in brackets. */
function isSameTitle(read: ImportedBook, book: Book): boolean {
  const [a, b] = [read.title, book.title].map((title) => foldTitle(withoutSeries(title)))
  return Boolean(a) && a === b && sharesAuthor(read, book)
}

/** Letters of a title per allowed typo. */
const lettersForOne = 6

/**
 * Whether the main titles are a few letters apart. Numbers must be equal, as they distinguish
 * volumes.
 */
function isMistyped(read: ImportedBook, book: Book): boolean {
  const [a, b] = [read.title, book.title].map((title) => foldTitle(mainTitle(title))) as [
    string,
    string,
  ]
  const most = Math.min(3, Math.floor(Math.min(a.length, b.length) / lettersForOne))
  const numbers = (text: string) => text.replace(/[^\d ]/g, '').trim()
  return numbers(a) === numbers(b) && most > 0 && editDistance(a, b, most) <= most
}

type Titled = Pick<ImportedBook, 'title' | 'authors'>

/** Whether the main titles are equal, and the books share an author if both have any. */
export function isSameWork(read: Titled, book: Titled): boolean {
  const [a, b] = [foldTitle(mainTitle(read.title)), foldTitle(mainTitle(book.title))]
  if (!a || a !== b) return false
  return !read.authors.length || !book.authors.length || sharesAuthor(read, book)
}

/** @returns the main title, folded, which all forms of a title share */
export const workTitle = (title: string): string => foldTitle(mainTitle(title))

/**
 * Compares two books that trackers may name differently: `same` if only a series in brackets
 * differs, `similar` if one has a subtitle or authors that the other lacks.
 */
export function compareTitles(a: Titled, b: Titled): 'same' | 'similar' | null {
  if (!isSameWork(a, b)) return null
  const [plainA, plainB] = [a.title, b.title].map((title) => withoutSeries(title)) as [
    string,
    string,
  ]
  const haveSeries = plainA !== a.title && plainB !== b.title
  // Volumes may differ only in their number.
  if (haveSeries && foldTitle(a.title) !== foldTitle(b.title)) return null
  if (foldTitle(plainA) === foldTitle(plainB))
    return a.authors.length && b.authors.length ? 'same' : 'similar'
  const isShort = (title: string) => foldTitle(title) === workTitle(title)
  return isShort(plainA) || isShort(plainB) ? 'similar' : null
}

/** Whether any of their authors have the same last name and compatible initials. */
function sharesAuthor(read: Titled, book: Titled): boolean {
  const names = book.authors.map(nameOf)
  return read.authors
    .map(nameOf)
    .some(([last, initial]) =>
      names.some(([l, i]) => last === l && (!initial || !i || initial === i)),
    )
}

/** @returns the last name, and the first name's initial */
function nameOf(author: string): [last: string, initial: string] {
  const words = foldText(author)
    .split(' ')
    .filter((word) => !/^(?:jr|sr|ii|iii|dr|sir)$/.test(word))
  return [words.at(-1) ?? '', words.length > 1 ? (words[0]?.[0] ?? '') : '']
}

/** Keeps the row's ISBN, as it identifies the reader's edition. */
function candidateOf(book: Book, isbn: string): ImportCandidate {
  const image = book.image_links.find((link) => link.startsWith('http'))
  return {
    id: book.id,
    title: book.title,
    authors: book.authors.filter(Boolean),
    isbn: isbn || isbnOf(book),
    genres: book.genres.filter(Boolean),
    images: image ? [image] : [],
    page_count: book.page_count,
  }
}
