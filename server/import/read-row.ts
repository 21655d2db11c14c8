import type { ImportedBook, ImportReason } from '#shared/import.ts'
import { dayIn, isAfter } from '#shared/partial-date.ts'
import { maxTagLength, maxTags } from '#shared/tags.ts'
import { cutText, fitsLength } from '#shared/text.ts'
import type { Status } from '#shared/user-book.ts'
import { allTagsOf } from './book-tags.ts'
import type { ParsedRow } from './row.ts'

/** Characters allowed in a review or note. */
export const textAtMost = 20_000
const titleAtMost = 500
const pagesAtMost = 100_000

/** @returns the status of a book by its last reading that ended on a day; '' if none did */
export function endOf({ readings }: ImportedBook): Status | '' {
  const ended = readings.findLast(({ finished }) => finished)
  return ended ? (ended.outcome === 'dropped' ? 'dropped' : 'completed') : ''
}

/**
 * Gives a row without a status one: `completed` or `dropped` if its reading ended on a day, and
 * otherwise `planning`, which opens no reading. Nothing else is concluded from a row.
 */
export function withStatus(row: ParsedRow): ParsedRow {
  const { book, warnings = [] } = row
  if (!book) return row
  const unknown = warnings.find(({ key }) => key === 'statusUnknown')
  const others = warnings.filter((one) => one !== unknown)
  // Of a row whose own status is unknown, another row about the book may have told it.
  if (book.status === 'planning') return withUnusedStarts(row, book, others)
  if (book.status) return { ...row, warnings: others }
  const status = endOf(book)
  if (status) {
    const reason: ImportReason = { ...unknown, key: 'statusFromDate' }
    return { ...row, book: { ...book, status }, warnings: [...others, reason] }
  }
  const missing: ImportReason = unknown ?? { key: 'statusMissing' }
  return withUnusedStarts(row, { ...book, status: 'planning' }, [...others, missing])
}

/** A planned book has no reading that has begun, unless its reader gives it another status. */
function withUnusedStarts(row: ParsedRow, book: ImportedBook, warnings: ImportReason[]): ParsedRow {
  const unused = book.readings.filter(({ finished }) => !finished)
  const reasons = unused.map(({ started }): ImportReason => ({
    key: 'startUnused',
    params: { value: started },
  }))
  return { ...row, book, warnings: [...warnings, ...reasons] }
}

/** Refuses a row whose title is longer than any book's. */
export function withTitle(row: ParsedRow): ParsedRow {
  if (!row.book || fitsLength(row.book.title, titleAtMost)) return row
  return { ...row, book: null, reason: { key: 'titleTooLong' } }
}

/**
 * Fits a row's texts, tags, pages and days to what a book may have, and says what had to move or go: the
 * end of a long review goes into the note.
 */
export function withinLimits(row: ParsedRow): ParsedRow {
  const { book } = row
  if (!book) return row
  const warnings = [...(row.warnings ?? [])]
  const [review, rest] = splitText(book.review)
  if (rest) warnings.push({ key: 'reviewLong' })
  const [notes, lost] = splitText([book.notes, rest].filter(Boolean).join('\n\n'))
  if (lost) warnings.push({ key: 'notesLong' })
  // An unknown status becomes a tag.
  const names = book.status ? book.tags : [...book.tags, book.status_name]
  const tags = allTagsOf({ ...book, tags: names })
  const value = cutText(tags.slice(maxTags).join(', '), titleAtMost)
  if (value) warnings.push({ key: 'tagsTooMany', params: { value } })
  for (const tag of names)
    if (!fitsLength(tag, maxTagLength))
      warnings.push({ key: 'tagShortened', params: { value: cutText(tag, titleAtMost) } })
  const pages = book.pages > pagesAtMost ? 0 : book.pages
  if (!pages && book.pages)
    warnings.push({ key: 'pagesUnread', params: { value: String(book.pages) } })
  // The time zone in which a day begins first.
  const today = dayIn('Pacific/Kiritimati', new Date())
  const inThePast = (date: string) => {
    if (!isAfter(date, today)) return date
    warnings.push({ key: 'dateFuture', params: { value: date } })
    return ''
  }
  // Readers enter the end more carefully.
  const readings = book.readings.flatMap((read) => {
    const one = { ...read, started: inThePast(read.started), finished: inThePast(read.finished) }
    if (!one.started && !one.finished && (read.started || read.finished)) return []
    if (!isAfter(one.started, one.finished)) return one
    warnings.push({ key: 'startTooLate', params: { value: `${one.started} – ${one.finished}` } })
    return { ...one, started: '' }
  })
  return { ...row, book: { ...book, review, notes, pages, readings }, warnings }
}

/** @returns the beginning that fits, up to the end of a word, and the rest; neither half a character */
function splitText(text: string): [string, string] {
  if (fitsLength(text, textAtMost)) return [text, '']
  const start = cutText(text, textAtMost)
  const space = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '))
  const end = space > textAtMost / 2 ? space : start.length
  return [text.slice(0, end).trimEnd(), text.slice(end).trimStart()]
}
