import type { PartialDate } from './partial-date.ts'
import type { Outcome } from './reading.ts'

export const diaryPageSize = 60

/** One time through a book that has ended, with as much of the book as is shown. */
export interface DiaryEntry {
  id: string
  started: PartialDate
  finished: PartialDate
  outcome: Outcome
  /** What the reader thought that time, 0 to 10; 0 is unknown. */
  rating: number
  book: { id: string; title: string; authors: string[]; isbn: string; images: string[] }
}

export interface DiaryPage {
  items: DiaryEntry[]
  page: number
  hasMore: boolean
}
