import { expect, test } from 'vitest'
import { cleanTags, tagKey } from './tags.ts'

test('the first spelling of a tag is kept', () => {
  const names = [
    '  Sci-Fi ',
    'sci fi',
    'Café',
    'CAFE',
    'to  read',
    '',
    ' ',
    '\u200B',
    '\u3164',
    '\u200D',
    '\u2800',
    '\uFE0F',
    '★',
    '★',
    '☆',
  ]
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
  ['한국', '한국'.normalize('NFD')],
  ['Việt Nam', 'Viet Nam'],
  ['Đọc', 'doc'],
  ['ΜΎΘΟΣ', 'μύθος'],
  ['ｿｳﾙ', 'ソウル'],
  ['کتاب', 'كتاب'],
  ['سال ۲۰۲۴', 'سال 2024'],
  ['sci\u00ADence', 'science'],
  ['हिन्\u200Dदी', 'हिन्दी'],
  ['\u200Fכיף', 'כיף'],
  ['\u200B★', '★'],
])('%j and %j are one tag', (one, other) => expect(tagKey(one)).toBe(tagKey(other)))

test('emoji that differ are different tags', () => {
  const names = ['🇬🇧', '🇫🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👩‍🚀', '👩🚀', '👍🏽', '👍']
  expect(cleanTags(names)).toEqual(names)
})

test('tags that only differ in their signs are different tags', () => {
  expect(cleanTags(['C', 'C++', 'c++', 'C#', '#fantasy', 'Fantasy'])).toEqual([
    'C',
    'C++',
    'C#',
    '#fantasy',
  ])
})
