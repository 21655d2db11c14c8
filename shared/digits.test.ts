import { expect, test } from 'vitest'
import { digitsOf, numberOf, westernDigits } from './digits.ts'

test.each([
  ['381', '381'],
  ['３８１', '381'],
  ['٣٨١', '381'],
  ['۳۸۱', '381'],
  ['३८१', '381'],
  ['৩৮১', '381'],
  ['๓๘๑', '381'],
  ['𝟛𝟠𝟙', '381'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['p. ３９', 'p. 39'],
])('%s is %s', (typed, text) => {
  expect(westernDigits(typed)).toBe(text)
})

test('all but digits is left out', () => {
  expect(digitsOf(' ٣٨ p１')).toBe('381')
})

test.each([
  ['120', 120],
  [' 120 ', 120],
  ['１２０', 120],
  ['١٢٠', 120],
  ['০', 0],
  ['12.5', 12.5],
  ['-3', -3],
  ['１２．５', 12.5],
  ['٣٫٥', 3.5],
  // As an Arabic text has it when it is copied.
  ['\u200f١٢٠\u200f', 120],
  ['\u2067120\u2069', 120],
])('%s is a number', (typed, number) => {
  expect(numberOf(typed)).toBe(number)
})

test.each(['', ' ', '0x10', '1e3', 'p. 120', '12a', '1 2', 'Infinity', '½', '12²', '①②'])(
  '"%s" is not',
  (typed) => {
    expect(numberOf(typed)).toBeNaN()
  },
)
