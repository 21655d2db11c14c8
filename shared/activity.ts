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

/**
 * The label of a timeline entry. If it doesn't name the book, the screen shows the title next to
 * it.
 *
 * @returns the specification's label
 */
export function activityLabel({ event_type, data }: Pick<Activity, 'event_type' | 'data'>): string {
  switch (event_type) {
    case 'reading':
      return 'Started Reading'
    case 'completed':
      return 'Finished Reading'
    case 'planning':
      return `Added ${data.title} to ${data.shelf}`
    case 'paused':
      return 'Paused Reading'
    case 'dropped':
      return 'Dropped'
    case 'progress_updated':
      return data.percent
        ? `Read ${data.percent}% of ${data.title}`
        : `Read ${data.progress} page of ${data.title}`
  }
}
