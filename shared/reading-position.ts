import type { UserBook } from './user-book.ts'

/** How far a reader is, and what it depends on. */
export type ReadingPosition = Pick<
  UserBook,
  'status' | 'page_count' | 'progress' | 'progress_percent'
>

/**
 * The page and the share that follow from a change. A finished book has been read to its last page;
 * a share that was entered is kept, whatever becomes of the page count, until a page is entered.
 *
 * @param before the book before the change, null when it is new on the shelf
 * @param after as asked for
 */
export function readingPosition(
  before: ReadingPosition | null,
  after: ReadingPosition,
): Pick<UserBook, 'progress' | 'progress_percent'> {
  const { status, page_count, progress, progress_percent } = after
  const isShare = progress_percent > 0 && progress_percent <= 100
  if (status === 'completed')
    return {
      progress: page_count > 0 ? page_count : progress,
      progress_percent: isShare ? 100 : progress_percent,
    }
  const isOtherShare = progress_percent !== (before?.progress_percent ?? 0)
  const isOtherPage = progress !== (before?.progress ?? 0)
  if (!isOtherShare && isOtherPage) return { progress, progress_percent: 0 }
  const isOtherLength = page_count !== before?.page_count
  // Out of bounds a share is refused at its field, and says nothing about a page.
  if (isShare && page_count > 0 && (isOtherShare || isOtherLength))
    return { progress: pageAt(progress_percent, page_count), progress_percent }
  return { progress, progress_percent }
}

/**
 * @param book where a reader is
 * @returns percent read, 0 to 100: as it was entered, else as the pages give it
 */
export function percentRead(book: ReadingPosition): number {
  return book.progress_percent > 0
    ? book.progress_percent
    : progressPercent(book.progress, book.page_count)
}

/** @returns whether the reader counts this book in percent, for want of its length */
export function isByPercent(book: Pick<UserBook, 'page_count' | 'progress_percent'>): boolean {
  return book.page_count <= 0 && book.progress_percent > 0
}

/** @returns the page at a share of a book, to the nearest whole one inside it */
export function pageAt(percent: number, pageCount: number): number {
  return Math.min(Math.round((percent * pageCount) / 100), Math.floor(pageCount))
}

/**
 * How far a reader is.
 *
 * @returns percent, 0 to 100; 0 if either is zero or less
 */
export function progressPercent(progress: number, pageCount: number): number {
  return progress <= 0 || pageCount <= 0 ? 0 : Math.min(100, (progress / pageCount) * 100)
}

export const progressMessage = 'Progress cannot exceed the total page count.'

/**
 * @param book a count of 0 means the length is unknown, and then bounds nothing
 * @returns whether the page lies inside the book
 */
export function isValidProgress(book: { page_count: number; progress: number }): boolean {
  return book.page_count <= 0 || book.progress <= book.page_count
}
