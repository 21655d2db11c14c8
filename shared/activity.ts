import type { Status } from './user-book.ts'

export const activityEvents = [
  'reading',
  'completed',
  'planning',
  'paused',
  'dropped',
  'progress_updated',
] as const satisfies readonly (Status | 'progress_updated')[]
export type ActivityEvent = (typeof activityEvents)[number]

export interface Activity {
  id: string
  collectionId: string
  collectionName: string
  event_type: ActivityEvent
  user: string
  book: string
  shelf: string
  isPrivate: boolean
  created: string
  /** A snapshot; names stay readable after the book is deleted. */
  data: {
    progress: number
    /** Used in place of the page if the reader counts in percent. */
    percent?: number
    title: string
    shelf: string
    isbn: string
    slug: string
    cover: string
    authors: string[]
  }
}
