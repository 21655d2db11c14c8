import type { ImportedBook, ImportedQuote, ImportReason } from '#shared/import.ts'
import { maxQuote } from '#shared/reading-form.ts'
import { cutText, isVisible } from '#shared/text.ts'
import { collapseSpaces } from './cells.ts'
import { boundBook, emptyBook, type ParsedRow } from './row.ts'
import { maxRows, tooManyRows } from './table.ts'

/** Quotes of one book, and characters of all of them, so that they fit into a row. */
const ofBook = { quotes: 1000, characters: 250_000 }

/** What a file has of a book: facts in our terms, and passages in their order. */
export type MarkedBook = Partial<ImportedBook> &
  Required<Pick<ImportedBook, 'title' | 'authors' | 'quotes'>>

/** The books of a file whose rows are passages. */
export class MarkedBooks<Book extends { title: string; authors: readonly string[] }> {
  readonly #books = new Map<string, Book>()
  #passages = 0

  /**
   * Finds the book of the next passage.
   *
   * @param made a book without passages, kept if it is the first of its title and authors
   * @throws ImportError for more passages than a file can have
   */
  next(made: Book): Book {
    if (++this.#passages > maxRows) throw tooManyRows()
    return this.#books.getOrInsertComputed(JSON.stringify([made.title, made.authors]), () => made)
  }

  get all(): Book[] {
    return [...this.#books.values()]
  }
}

/** @returns a quote, which is empty as far as nothing is given */
export const quoteWith = (known: Partial<ImportedQuote>): ImportedQuote => ({
  text: '',
  note: '',
  page: 0,
  percent: 0,
  at: '',
  ...known,
})

/** @returns a share of a book in percent, with two decimals; 0 if it makes no sense */
export function percentOf(part: number, whole: number): number {
  const share = part / whole
  return share > 0 && share <= 1 ? Math.round(share * 10_000) / 100 : 0
}

/** @returns a time as records have it; '' if none of these devices can have written it */
export function timestampOf(milliseconds: number): string {
  const isLikely = milliseconds > Date.UTC(1990) && milliseconds < Date.now() + 2 * 86_400_000
  return isLikely ? new Date(milliseconds).toISOString().replace('T', ' ') : ''
}

/**
 * Makes a row of a book and its passages. A passage that comes again is one, and a note without a
 * passage becomes part of the book's note.
 */
export function rowOfMarked({ quotes, ...book }: MarkedBook): ParsedRow {
  const found = new Map<string, ImportedQuote>()
  const notes: string[] = []
  for (const quote of quotes) {
    const text = isVisible(quote.text) ? quote.text.trim() : ''
    const note = quote.note.trim()
    if (!text) {
      if (note) notes.push(note)
      continue
    }
    const key = quoteKey(text)
    const known = found.get(key)
    // The note is written last.
    found.set(key, known ? { ...known, note: note || known.note } : { ...quote, text, note })
  }
  const { kept, warnings } = withinRow([...found.values()])
  const source = {
    title: book.title,
    authors: book.authors.join(', '),
    highlights: String(found.size),
  }
  if (!book.title) return { source, book: null, reason: { key: 'noTitle' } }
  const read = boundBook({ ...emptyBook, ...book, quotes: kept, notes: notes.join('\n\n') })
  return { source, book: read, reason: null, warnings }
}

/** @returns what two equal quotes have in common */
export const quoteKey = (text: string): string => collapseSpaces(text)

/** Cuts quotes that are too long, and leaves out those that a row has no room for. */
function withinRow<Quote extends ImportedQuote>(quotes: readonly Quote[]) {
  const warnings: ImportReason[] = []
  const kept: Quote[] = []
  let characters = 0
  for (const quote of quotes) {
    const [text, note] = [cutText(quote.text, maxQuote), cutText(quote.note, maxQuote)]
    if (text !== quote.text || note !== quote.note)
      warnings.push({ key: 'quoteLong', params: { value: cutText(text, shown) } })
    characters += [text, note, ...(quote.earlier ?? [])].join('').length
    if (kept.length === ofBook.quotes || characters > ofBook.characters) {
      warnings.push({ key: 'quotesTooMany', params: { value: cutText(text, shown) } })
      break
    }
    kept.push({ ...quote, text, note })
  }
  return { kept, warnings: warnings.slice(-warningsAtMost) }
}

/** Characters of a quote that a warning shows, and warnings of a book. */
const [shown, warningsAtMost] = [100, 20]

/** @returns the quotes of two rows about one book, each once */
export function joinQuotes<Quote extends ImportedQuote>(
  first: readonly Quote[] = [],
  other: readonly Quote[] = [],
): Quote[] {
  const known = new Set(first.map(({ text }) => quoteKey(text)))
  const more = other.filter(({ text }) => !known.has(quoteKey(text)))
  return withinRow([...first, ...more]).kept
}
