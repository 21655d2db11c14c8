import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hasWrongDigit, isbnForms, isbnsBeginning, parseIsbn, toIsbn10, toIsbn13 } from './isbn.ts'

describe('parseIsbn', () => {
  it.each([
    ['9780141439471', '9780141439471'],
    ['978-0-14-143947-1', '9780141439471'],
    ['ISBN: 978 0141439471', '9780141439471'],
    ['ISBN-13: 9780141439471', '9780141439471'],
    ['isbn13 9780141439471', '9780141439471'],
    ['0141439475', '0141439475'],
    ['014197382x', '014197382X'],
    ['9791032305690', '9791032305690'],
    ['978-0-14-143947-1 51299', '9780141439471'],
    ['978014143947151299', '9780141439471'],
    ['0-14-143947-5 01299', '0141439475'],
    ['9780141439471 (pbk.)', '9780141439471'],
    ['ISBN 0141439475 (hardcover : alk. paper).', '0141439475'],
    ['978.0.14.143947.1.', '9780141439471'],
    ['\u200E978\u00AD0141439471\uFEFF', '9780141439471'],
    ['978−0−14−143947−1', '9780141439471'],
    ['\u202AISBN: 9780141439471\u202C', '9780141439471'],
    ['９７８－０－１４－１４３９４７－１', '9780141439471'],
    ['ＩＳＢＮ：　０１４１９７３８２ｘ', '014197382X'],
    ['٩٧٨٠١٤١٤٣٩٤٧١', '9780141439471'],
  ])('reads %s', (text, isbn) => expect(parseIsbn(text)).toBe(isbn))

  it.each([
    ['a wrong check digit', '9780141439472'],
    ['a wrong check digit of ten', '0141439476'],
    ['twelve digits', '978014143947'],
    ['an article number of no book', '5901234123457'],
    ['printed music', '9790060115615'],
    ['an X in the middle', '01414X9475'],
    ['nothing', ''],
    ['words', 'Frankenstein'],
  ])('refuses %s', (_, text) => expect(parseIsbn(text)).toBeNull())
})

test.for([
  ['9780141439472', true],
  ['0141439476 (pbk.)', true],
  ['9780141439471', false],
  ['978014143947', false],
  ['Frankenstein', false],
] as const)('%s: one digit is wrong: %s', ([text, isWrong]) =>
  expect(hasWrongDigit(text)).toBe(isWrong),
)

test.for([
  ['0141439475', ['9780141439471', '0141439475']],
  ['978-0141439471', ['9780141439471', '0141439475']],
  ['9791032305690', ['9791032305690']],
  ['978-0-14', ['978014']],
] as const)('the forms of %s', ([text, forms]) => expect(isbnForms(text)).toEqual(forms))

describe('isbnsBeginning', () => {
  it.each([
    ['978-0-14-1', 9780141000000, 9780141999999],
    ['978014143947', 9780141439470, 9780141439479],
    ['9780141439472', 9780141439470, 9780141439479],
    ['0141439', 9780141439000, 9780141439999],
    ['014143947X', 9780141439470, 9780141439479],
  ])('goes on from %s', (text, from, to) => expect(isbnsBeginning(text)).toEqual([from, to]))

  it.each(['', '1984', '97801414394711', '12345678901', 'Catch-22', '978014x'])(
    'is none of "%s"',
    (text) => expect(isbnsBeginning(text)).toBeNull(),
  )
})

const body = fc.stringMatching(/^\d{9}$/)

describe('an ISBN of ten and one of thirteen', () => {
  it('are the same book there and back', () =>
    fc.assert(
      fc.property(body, (digits) => {
        const thirteen = valid13(`978${digits}`)
        const ten = toIsbn10(thirteen)
        expect(ten).not.toBeNull()
        expect(toIsbn13(ten!)).toBe(thirteen)
      }),
    ))

  it('lose their validity with any one digit changed', () =>
    fc.assert(
      fc.property(body, fc.nat(12), fc.integer({ min: 1, max: 9 }), (digits, place, by) => {
        const isbn = valid13(`978${digits}`)
        const changed = (Number(isbn[place]) + by) % 10
        expect(parseIsbn(isbn.slice(0, place) + changed + isbn.slice(place + 1))).toBeNull()
      }),
    ))

  it('979 has no ten', () => expect(toIsbn10('9791032305690')).toBeNull())
})

/** The one of ten endings that {@link parseIsbn} accepts. */
function valid13(twelve: string): string {
  const found = Array.from({ length: 10 }, (_, d) => `${twelve}${d}`).filter((c) => parseIsbn(c))
  expect(found).toHaveLength(1)
  return found[0]!
}
