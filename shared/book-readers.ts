/** How many ratings an average takes. */
export const minRatings = 3

/** Reviews on a page, besides the viewer's own on the first. */
export const reviewPageSize = 10

/** What a reader says of a book. */
export interface Review {
  reader: { id: string; username: string; name: string; avatar: string }
  /** 0 to 10; 0 without one. */
  rating: number
  review: string
  spoilers: boolean
  /** The last day the reader finished it; empty if unknown. */
  finished: string
  /** The id of the reader's record of the book. */
  user_book: string
}

/** `GET /api/v1/book-info/{id}/readers`: what the viewer may see of the book's readers. */
export interface BookReaders {
  /** Out of 10; null below {@link minRatings} ratings. */
  average: number | null
  ratings: number
  /** How many ratings are at least 1, 2, … 10 and below the next; the first has those below 1, too. */
  distribution: number[]
  readers: number
  /** The viewer's own first, then the newest. */
  reviews: Review[]
  page: number
  hasMore: boolean
}
