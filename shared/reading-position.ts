import type { UserBook } from './user-book.ts'

/** A reader's position and the fields it depends on. */
export type ReadingPosition = Pick<UserBook, 'page_count' | 'progress' | 'progress_percent'> & {
  status: UserBook['status'] | ''
}

/**
 * Derives the page and percentage after a change. A finished book is at its last page. An entered
 * percentage stays, even if the page count changes, until a page is entered.
 *
 * @param before the book before the change; null if it is new on the shelf
 * @param after the requested values
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
  // An invalid percentage is refused at its field and gives no page.
  if (isShare && page_count > 0 && (isOtherShare || isOtherLength))
    return { progress: pageAt(progress_percent, page_count), progress_percent }
  return { progress, progress_percent }
}

/**
 * @param book with the reader's position
 * @returns percent read, 0 to 100: as entered, otherwise derived from the pages
 */
export function percentRead(book: ReadingPosition): number {
  return book.progress_percent > 0
    ? book.progress_percent
    : progressPercent(book.progress, book.page_count)
}

/** @returns whether the book is counted in percent, as its length is unknown */
export function isByPercent(book: Pick<UserBook, 'page_count' | 'progress_percent'>): boolean {
  return book.page_count <= 0 && book.progress_percent > 0
}

/** @returns the page at a percentage, rounded and within the book */
export function pageAt(percent: number, pageCount: number): number {
  return Math.min(Math.round((percent * pageCount) / 100), Math.floor(pageCount))
}

/**
 * The percentage read.
 *
 * @returns percent, 0 to 100; 0 if either is zero or less
 */
export function progressPercent(progress: number, pageCount: number): number {
  return progress <= 0 || pageCount <= 0 ? 0 : Math.min(100, (progress / pageCount) * 100)
}

/**
 * @param book a page count of 0 is unknown and allows any page
 * @returns whether the page is within the book
 */
export function isValidProgress(book: { page_count: number; progress: number }): boolean {
  return book.page_count <= 0 || book.progress <= book.page_count
}
