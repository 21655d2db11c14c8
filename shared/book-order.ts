/** The lists that readers can reorder: the books they plan to read, and those of one shelf. */
export const orderedLists = ['queue', 'shelf'] as const
type OrderedList = (typeof orderedLists)[number]

/** The highest position of a book; fractions near it still differ. */
export const positionAtMost = 1e12

/** Moves a book within a list; on a shelf, within its own shelf. */
export interface BookMove {
  list: OrderedList
  /** The record that moves. */
  book: string
  /** The record it comes right after; '' puts it first. */
  after: string
}
