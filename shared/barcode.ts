import { parseIsbn } from './isbn.ts'
import type { RuleKey } from './rule.ts'

/** The result of a scan: the ISBN, or the rule that says why it isn't one. */
type BarcodeReading = { isbn: string } | { problem: RuleKey }

const problems: readonly [pattern: RegExp, problem: RuleKey][] = [
  [/^(?:\d{12}|0\d{12})$/, 'barcode.price'],
  [/^9790\d{9}$/, 'barcode.music'],
  [/^977\d{10}$/, 'barcode.magazine'],
]

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
  const [, problem = 'barcode.other'] = problems.find(([pattern]) => pattern.test(text)) ?? []
  return { problem }
}
