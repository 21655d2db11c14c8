import { expect, test } from 'vitest'
import { parseBarcode } from './barcode.ts'
import { ruleInEnglish } from './english.ts'

test.each(['9780141439518', '9791032305690', '9798886451740'])('%s is a book', (isbn) =>
  expect(parseBarcode(isbn)).toEqual({ isbn }),
)

test.each([
  ['a UPC-A of twelve digits', '785342303476', /price code \(UPC\).*Look for the ISBN/],
  ['the same read as EAN-13', '0785342303476', /price code \(UPC\)/],
  ['a paperback’s price code', '070999002255', /price code/],
  ['printed music', '9790060115615', /ISMN/],
  ['a magazine', '9771234567003', /ISSN/],
  ['a chocolate', '4006381333931', /978 or 979/],
  ['a wrong check digit', '9780141439519', /978 or 979/],
  ['an ISBN-10, which no barcode holds', '0141439475', /978 or 979/],
])('%s is refused with its reason', (_, text, sentence) => {
  const reading = parseBarcode(text)
  expect('problem' in reading ? ruleInEnglish({ key: reading.problem }) : '').toMatch(sentence)
})
