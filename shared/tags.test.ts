import { expect, test } from 'vitest'
import { cleanTags, tagKey } from './tags.ts'

test('the first spelling of a tag is kept', () => {
  const names = ['  Sci-Fi ', 'sci fi', 'Café', 'CAFE', 'to  read', '', ' ', '★', '★', '☆']
  expect(cleanTags(names)).toEqual(['Sci-Fi', 'Café', 'to read', '★', '☆'])
})

test.each([
  ['Sci-Fi', 'sci fi'],
  ['İstanbul', 'istanbul'],
  ['Am\u00E9lie', 'Ame\u0301lie'],
  ['\u2665\uFE0F', '\u2665'],
  ['Ｃ＋＋', 'c++'],
  ['ガ', 'カ\u3099'],
  ['روايـــة', 'رواية'],
])('%j and %j are one tag', (one, other) => expect(tagKey(one)).toBe(tagKey(other)))

test('tags that only differ in their signs are different tags', () => {
  expect(cleanTags(['C', 'C++', 'c++', 'C#', '#fantasy', 'Fantasy'])).toEqual([
    'C',
    'C++',
    'C#',
    '#fantasy',
  ])
})
