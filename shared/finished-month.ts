/** How many books a reader has finished in a month. */
export interface FinishedMonth {
  /** YYYY-MM. */
  month: string
  books: number
}
