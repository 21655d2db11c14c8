import type { FoundByName, FederatedCatalogue } from '#catalogue/index.ts'
import { letRequestsRun } from '#records/index.ts'
import { recordedFacts, type Book } from '#shared/book.ts'
import type { ImportCandidate, ImportedBook, ImportReason, ImportRowState } from '#shared/import.ts'
import { firstNameFirst } from './people.ts'
import {
  foundUnder,
  isNear,
  isSameEdition,
  isSameVolume,
  maxAuthors,
  surelyNamed,
} from '#server/titles/compare.ts'
import { titleForms, titleParts } from '#server/titles/titles.ts'

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
      titles: title ? titleForms(title) : [],
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
  const found = foundUnder(read, byName)
  const same = surelyNamed(read, found)
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

/** Says in what a row and the book that its ISBN finds disagree. */
function disagreement(read: ImportedBook, { title, authors }: Book): ImportReason {
  const { isbn } = read
  const [a, b] = [titleParts(read.title), titleParts(title)]
  if (a.main !== b.main) return { key: 'isbnIsOther', params: { isbn, title } }
  if (!isSameVolume(a, b)) return { key: 'isbnOtherVolume', params: { isbn, title } }
  return { key: 'isbnOtherAuthor', params: { isbn, authors: authors.join(', ') } }
}

/** Keeps the row's ISBN, as it identifies the reader's edition. */
function candidateOf(book: Book, isbn: string): ImportCandidate {
  const facts = recordedFacts(book)
  return { id: book.id, ...facts, isbn: isbn || facts.isbn }
}
