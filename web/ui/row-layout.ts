/** How many rows a list makes of its items, as far as it is known before they are there. */
export interface RowLayout {
  /** Pixels in a window of this width; every row is measured once it is there. */
  estimateHeight: (windowWidth: number) => number
  /** Rows kept ready above and below what is in sight, so that Tab finds the next one. */
  overscan: number
  /** Items beside one another in a window of this width; the page itself knows better later. */
  columns?: ((windowWidth: number) => number) | undefined
  /** For items of different widths that wrap: the width of each in pixels. */
  widthOf?: ((item: number) => number) | undefined
}

/** The part of a list that must be in the page. */
export interface VisibleRows {
  /** Places of the items. */
  items: number[]
  /** Pixels of the rows that are not in the page. */
  before: number
  after: number
  /** Attributes of the first item of a row, by which the row is measured. */
  rowStart: (item: number) => { ref?: (element: Element | null) => void; 'data-index'?: number }
}

/** @returns the rows of a list that is in the page whole, or of which the server renders the first */
export function firstRows(count: number): VisibleRows {
  return { items: range(0, count), before: 0, after: 0, rowStart: () => ({}) }
}

/** @returns the numbers from `from` up to `to`, without it */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place)
}
