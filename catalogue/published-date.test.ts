import { expect, it } from 'vitest'
import { publishedDate } from './published-date.ts'

it.each([
  ['February 29, 2008', '2008-02-29'],
  ['February 29, 2007', '2007-02'],
  ['5 Jan 2016', '2016-01-05'],
  ['1st March 2001', '2001-03-01'],
  ['1978-03', '1978-03'],
  ['1978-80', '1978'],
  ['c1998', '1998'],
  ['1911-12.', '1911'],
  ['in 2031', ''],
  ['no year', ''],
])('reads the date %s', (given, date) =>
  expect(publishedDate(given, new Date('2026-12-31T23:59:59Z'))).toBe(date),
)
