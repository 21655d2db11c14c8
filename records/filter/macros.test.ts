import { expect, test } from 'vitest'
import { isNumberMacro, macros } from './macros.ts'

const at = (moment: string) =>
  Object.fromEntries([...macros].map(([name, of]) => [name, of(new Date(moment))]))

test('every macro uses UTC', () => {
  // A Sunday, and the last day of February in a leap year.
  expect(at('2032-02-29T03:04:05.678Z')).toEqual({
    '@now': '2032-02-29 03:04:05.678Z',
    '@yesterday': '2032-02-28 03:04:05.678Z',
    '@tomorrow': '2032-03-01 03:04:05.678Z',
    '@todayStart': '2032-02-29 00:00:00.000Z',
    '@todayEnd': '2032-02-29 23:59:59.999Z',
    '@monthStart': '2032-02-01 00:00:00.000Z',
    '@monthEnd': '2032-02-29 23:59:59.999Z',
    '@yearStart': '2032-01-01 00:00:00.000Z',
    '@yearEnd': '2032-12-31 23:59:59.999Z',
    '@second': 5,
    '@minute': 4,
    '@hour': 3,
    '@day': 29,
    '@weekday': 0,
    '@month': 2,
    '@year': 2032,
  })
})

test('days and years end with their last millisecond', () => {
  expect(at('2025-12-31T23:59:59.999Z')).toMatchObject({
    '@tomorrow': '2026-01-01 23:59:59.999Z',
    '@todayEnd': '2025-12-31 23:59:59.999Z',
    '@monthEnd': '2025-12-31 23:59:59.999Z',
    '@yearEnd': '2025-12-31 23:59:59.999Z',
    '@weekday': 3,
  })
})

test('moments are texts, their parts numbers', () => {
  const numbers = [...macros.keys()].filter(isNumberMacro)
  expect(numbers).toEqual(['@second', '@minute', '@hour', '@day', '@weekday', '@month', '@year'])
})
