import { parseIsbn } from './isbn.ts'

/** The result of a scan: the ISBN, or why it isn't one. */
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
 * Parses a barcode. Only a valid ISBN-13 is a book. A UPC-A has twelve digits or, read as EAN-13, a
 * leading 0; on American paperbacks it encodes a publisher and a price that many titles share, so
 * it is never taken for an ISBN.
 *
 * @param text digits from the detector, without a price add-on
 */
export function parseBarcode(text: string): BarcodeReading {
  const isbn = parseIsbn(text)
  if (isbn?.length === 13) return { isbn }
  const [, problem = otherGoods] = problems.find(([pattern]) => pattern.test(text)) ?? []
  return { problem }
}
