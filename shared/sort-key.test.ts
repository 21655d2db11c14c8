import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareByKey, sortKey } from './sort-key.ts'

const byCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('sort key', () => {
  test.for([
    [
      ['Zorro', 'apple', 'zebra', 'Éclair'],
      ['apple', 'Éclair', 'zebra', 'Zorro'],
    ],
    [
      ['Volume 10', 'Volume 9', 'volume 1'],
      ['volume 1', 'Volume 9', 'Volume 10'],
    ],
    [
      ['2001', '451', '1984'],
      ['451', '1984', '2001'],
    ],
    [
      ['Äsop', 'Ödipus', 'Anna', 'école'],
      ['Anna', 'Äsop', 'école', 'Ödipus'],
    ],
    [
      ['Zorro', 'Łódź', 'Lord Jim', 'Lucy', 'Þorn', 'Emma', 'Đorđe', 'Doctor'],
      ['Doctor', 'Đorđe', 'Emma', 'Łódź', 'Lord Jim', 'Lucy', 'Þorn', 'Zorro'],
    ],
    [
      ['007', '8'],
      ['007', '8'],
    ],
    [
      ['“It”', 'Ivanhoe', 'Island'],
      ['Island', '“It”', 'Ivanhoe'],
    ],
  ])('%s', ([titles, sorted]) => {
    expect(titles!.toSorted(compareByKey)).toEqual(sorted)
  })

  test('numbers of any length sort by value', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(0n, 10n ** 30n), (a, b) => {
        const order = byCodePoints(sortKey(`No. ${a}`), sortKey(`No. ${b}`))
        expect(Math.sign(order)).toBe(Number(a > b) - Number(a < b))
      }),
    )
  })

  test('case and marks make no difference', () => {
    expect(sortKey('ÉCOLE')).toBe(sortKey('ecole'))
  })

  test('a text without letters keeps a key of its own', () => {
    expect(sortKey('!!!')).not.toBe(sortKey('???'))
  })

  test('a key is bounded and survives a half of a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect([...sortKey(text)].length).toBeLessThanOrEqual(100)
      }),
    )
  })
})
