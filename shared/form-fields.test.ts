import { expect, it } from 'vitest'
import { queryNumber } from './form-fields.ts'

const page = queryNumber(1000).default(1)

it.each([
  [undefined, 1],
  ['16', 16],
  ['１６', 16],
  ['١٦', 16],
  ['1000', 1000],
])('reads %o in a query as %d', (text, number) => {
  expect(page.parse(text)).toBe(number)
})

it.each(['0x10', '1e1', '0b11', '+1', '1.5', '-1', '0', '1001', '', ' ', 'null', '1,2', '²'])(
  'refuses %o in a query',
  (text) => {
    expect(page.safeParse(text).success).toBe(false)
  },
)

it('refuses a number that comes twice', () => {
  expect(page.safeParse(['1', '2']).success).toBe(false)
})
