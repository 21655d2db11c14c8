import { foldTitle, type World } from '#catalogue/index.ts'
import { isbnOf, type Book } from '#shared/book.ts'
import type { ImportCandidate, ImportedBook, ImportRowState } from '#shared/import.ts'
import { searchForm } from '#shared/search-form.ts'
import { foldText } from '#shared/text.ts'

/** What a row means to the catalogue. */
export interface Match {
  state: Extract<ImportRowState, 'matched' | 'doubtful' | 'unmatched'>
  reason: string
  candidates: ImportCandidate[]
  book: ImportCandidate | null
}

/** Shown beside a doubtful row. */
const shown = 5

/**
 * Finds the book that a row means, by its ISBN, then by its title and author. Asks no other
 * catalogue. What isn't the same by title and author is for the reader to decide.
 */
export async function matchBook(
  catalogue: Pick<World, 'known' | 'search'>,
  read: ImportedBook,
): Promise<Match> {
  const known = read.isbn ? await catalogue.known(read.isbn) : null
  if (known) {
    const book = candidateOf(known, read.isbn)
    if (!read.title || isSameWork(read, known))
      return { state: 'matched', reason: '', candidates: [], book }
    const reason = `In our catalogue ISBN ${read.isbn} is “${known.title}”.`
    return { state: 'doubtful', reason, candidates: [book], book: null }
  }
  if (!read.title || !read.authors.length) return unmatched(read)
  const found = await search(catalogue, read)
  const same = found.find((one) => isSameTitle(read, one))
  if (same)
    return { state: 'matched', reason: '', candidates: [], book: candidateOf(same, read.isbn) }
  const near = found.filter((one) => isSameWork(read, one)).slice(0, shown)
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

async function search(catalogue: Pick<World, 'search'>, read: ImportedBook): Promise<Book[]> {
  const form = searchForm.safeParse({
    title: mainTitle(read.title).slice(0, 200),
    author: read.authors[0]?.slice(0, 100),
  })
  if (!form.success) return []
  const { books } = await catalogue.search(form.data, 'remember')
  return books.filter((book) => sharesAuthor(read, book))
}

/** Without a series in brackets and without a subtitle. */
function mainTitle(title: string): string {
  const bare = title.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '').split(/:\s|\s[–—-]\s/)[0] ?? ''
  return bare.trim() || title
}

/** The whole title without a series, or with no subtitle on one side. */
function isSameTitle(read: ImportedBook, book: Book): boolean {
  const [a, b] = [read.title, book.title].map((title) =>
    foldTitle(title.replace(/\s*\([^()]*\)\s*$/, '')),
  )
  return Boolean(a) && a === b && sharesAuthor(read, book)
}

/** The same main title, and an author in common where both have one. */
function isSameWork(read: ImportedBook, book: Book): boolean {
  const [a, b] = [foldTitle(mainTitle(read.title)), foldTitle(mainTitle(book.title))]
  if (!a || a !== b) return false
  return !read.authors.length || !book.authors.length || sharesAuthor(read, book)
}

/** One author of both whose last names are equal and whose first names don't contradict. */
function sharesAuthor(read: ImportedBook, book: Book): boolean {
  const names = book.authors.map(nameOf)
  return read.authors
    .map(nameOf)
    .some(([last, initial]) =>
      names.some(([l, i]) => last === l && (!initial || !i || initial === i)),
    )
}

/** @returns the last name, and how the first begins */
function nameOf(author: string): [last: string, initial: string] {
  const words = foldText(author)
    .split(' ')
    .filter((word) => !/^(?:jr|sr|ii|iii|dr|sir)$/.test(word))
  return [words.at(-1) ?? '', words.length > 1 ? (words[0]?.[0] ?? '') : '']
}

/** An ISBN is never exchanged for another: the edition is the reader's. */
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
