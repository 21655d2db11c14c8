import { parseIsbn } from './isbn.ts'

/** What a barcode says: the book, or why it is none. */
type BarcodeReading = { isbn: string } | { problem: string }

const priceCode =
  'This is a price code (UPC), another kind of number. Look for the ISBN above it, on the copyright page or inside the front cover, or type it.'
const problems: readonly [pattern: RegExp, sentence: string][] = [
  [/^(?:\d{12}|0\d{12})$/, priceCode],
  [/^9790\d{9}$/, 'This is the number of printed music (ISMN), not of a book.'],
  [/^977\d{10}$/, 'This is the number of a magazine (ISSN), not of a book.'],
]
const otherGoods = 'This barcode is not of a book. The one to scan begins with 978 or 979.'

/**
 * The rules of a scan: only an ISBN-13, prefix and check digit included, is a book. A UPC-A comes as
 * twelve digits or, read as EAN-13, with a 0 before them; on American paperbacks it names a publisher
 * and a price that many titles share, so it is never taken for an ISBN.
 *
 * @param text digits as the detector gives them, without a price add-on
 */
export function readBarcode(text: string): BarcodeReading {
  const isbn = parseIsbn(text)
  if (isbn?.length === 13) return { isbn }
  const [, problem = otherGoods] = problems.find(([pattern]) => pattern.test(text)) ?? []
  return { problem }
}
