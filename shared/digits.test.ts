import { expect, test } from 'vitest'
import { digitsOf, numberOf, plainNumbers, westernDigits } from './digits.ts'

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

test.each([
  ['４．５／５', '4.5/5'],
  ['٤٫٥', '4.5'],
  ['٩٠٪', '90%'],
  ['１，２１６', '1,216'],
  ['١٬٢١٦', '1,216'],
])('%s is %s, too', (typed, text) => {
  expect(plainNumbers(typed)).toBe(text)
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
  ['۱۲۰', 120],
  ['१२०', 120],
  ['𞥑𞥒', 12],
  ['1,5', 1.5],
  ['१२,२५', 12.25],
  ['３，５', 3.5],
  ['－３', -3],
  ['−3', -3],
])('%s is a number', (typed, number) => {
  expect(numberOf(typed)).toBe(number)
})

test.each([
  '',
  ' ',
  '0x10',
  '1e3',
  'p. 120',
  '12a',
  '1 2',
  'Infinity',
  '½',
  '12²',
  '①②',
  '1,200',
  '1,2,3',
  '٬5',
  '一二〇',
  '٪5',
])('"%s" is not', (typed) => {
  expect(numberOf(typed)).toBeNaN()
})
