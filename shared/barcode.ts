import { parseIsbn } from './isbn.ts'

/** What a barcode says: the book, or why it is none. */
type BarcodeReading = { isbn: string } | { problem: string }

const priceCode =
  'This is a price code (UPC), not an ISBN. Look for the ISBN above it, on the copyright page or inside the front cover, or type it in.'
const problems: readonly [pattern: RegExp, sentence: string][] = [
  [/^(?:\d{12}|0\d{12})$/, priceCode],
  [/^9790\d{9}$/, 'This number is for printed music (ISMN), not a book.'],
  [/^977\d{10}$/, 'This number is for a magazine (ISSN), not a book.'],
]
const otherGoods = 'This isn’t a book’s barcode. Scan the one that starts with 978 or 979.'

/**
 * The rules of a scan: only an ISBN-13, prefix and check digit included, is a book. A UPC-A comes as
 * twelve digits or, read as EAN-13, with a 0 before them; on American paperbacks it names a publisher
 * and a price that many titles share, so it is never taken for an ISBN.
 *
 * @param text digits as the detector gives them, without a price add-on
 */
export function parseBarcode(text: string): BarcodeReading {
  const isbn = parseIsbn(text)
  if (isbn?.length === 13) return { isbn }
  const [, problem = otherGoods] = problems.find(([pattern]) => pattern.test(text)) ?? []
  return { problem }
}
