/** What a reader puts in an order of their own: the books they plan to read, or those of one shelf. */
export const orderedLists = ['queue', 'shelf'] as const
type OrderedList = (typeof orderedLists)[number]

/** A book takes another place in an order; a book of a shelf is placed on its own shelf. */
export interface BookMove {
  list: OrderedList
  /** The record that moves. */
  book: string
  /** The record it comes right after; '' puts it first. */
  after: string
}
