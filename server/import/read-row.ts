import type { ImportedBook, ImportReason } from '#shared/import.ts'
import { maxTagLength, maxTags } from '#shared/tags.ts'
import { fitsLength } from '#shared/text.ts'
import { allTagsOf } from './book-tags.ts'
import { cutText } from '#shared/text.ts'
import type { ParsedRow } from './row.ts'

/** Characters allowed in a review or note. */
export const textAtMost = 20_000
const titleAtMost = 500

/**
 * Gives a row without a status one: `completed` or `dropped` if its reading ended on a day, and
 * otherwise `planning`, which opens no reading. Nothing else is concluded from a row.
 */
export function withStatus(row: ParsedRow): ParsedRow {
  const { book, warnings = [] } = row
  if (!book) return row
  if (book.status) return book.status === 'planning' ? withoutStarts(row, book, warnings) : row
  const ended = book.readings.findLast(({ finished }) => finished)
  const unknown = warnings.find(({ key }) => key === 'statusUnknown')
  const others = warnings.filter((one) => one !== unknown)
  if (ended) {
    const status = ended.outcome === 'dropped' ? 'dropped' : 'completed'
    const reason: ImportReason = { ...unknown, key: 'statusFromDate' }
    return { ...row, book: { ...book, status }, warnings: [...others, reason] }
  }
  const missing: ImportReason = unknown ?? { key: 'statusMissing' }
  return withoutStarts(row, { ...book, status: 'planning' }, [...others, missing])
}

/** A planned book has no reading that has begun. */
function withoutStarts(row: ParsedRow, book: ImportedBook, warnings: ImportReason[]): ParsedRow {
  const unused = book.readings.filter(({ finished }) => !finished)
  const reasons = unused.map(({ started }): ImportReason => ({
    key: 'startUnused',
    params: { value: started },
  }))
  const readings = book.readings.filter(({ finished }) => finished)
  return { ...row, book: { ...book, readings }, warnings: [...warnings, ...reasons] }
}

/** Refuses a row whose title is longer than any book's. */
export function withTitle(row: ParsedRow): ParsedRow {
  if (!row.book || fitsLength(row.book.title, titleAtMost)) return row
  return { ...row, book: null, reason: { key: 'titleTooLong' } }
}

/**
 * Fits a row's texts to what a book may have, and says what had to move or go: the end of a long
 * review goes into the note.
 */
export function withinLimits(row: ParsedRow): ParsedRow {
  const { book } = row
  if (!book) return row
  const warnings = [...(row.warnings ?? [])]
  const [review, rest] = splitText(book.review)
  if (rest) warnings.push({ key: 'reviewLong' })
  const [notes, lost] = splitText([book.notes, rest].filter(Boolean).join('\n\n'))
  if (lost) warnings.push({ key: 'notesLong' })
  const tags = allTagsOf(book)
  const value = cutText(tags.slice(maxTags).join(', '), titleAtMost)
  if (value) warnings.push({ key: 'tagsTooMany', params: { value } })
  for (const tag of book.tags)
    if (!fitsLength(tag, maxTagLength))
      warnings.push({ key: 'tagShortened', params: { value: cutText(tag, titleAtMost) } })
  return { ...row, book: { ...book, review, notes }, warnings }
}

/** @returns the beginning that fits, up to the end of a word, and the rest; neither half a character */
function splitText(text: string): [string, string] {
  if (fitsLength(text, textAtMost)) return [text, '']
  const start = cutText(text, textAtMost)
  const space = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '))
  const end = space > textAtMost / 2 ? space : start.length
  return [text.slice(0, end).trimEnd(), text.slice(end).trimStart()]
}
