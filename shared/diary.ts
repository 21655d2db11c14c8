import type { PartialDate } from './partial-date.ts'
import type { Outcome } from './reading.ts'

export const diaryPageSize = 60

/** A finished or stopped reading, with the displayed data of its book. */
export interface DiaryEntry {
  id: string
  started: PartialDate
  finished: PartialDate
  outcome: Outcome
  /** Of the edition that was read; 0 if they aren't known, and of an audiobook. */
  pages: number
  /** The rating at the time, 0 to 10; 0 is unknown. */
  rating: number
  book: { id: string; title: string; authors: string[]; isbn: string; images: string[] }
}

export interface DiaryPage {
  items: DiaryEntry[]
  page: number
  hasMore: boolean
}
