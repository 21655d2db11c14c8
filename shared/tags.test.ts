import { expect, test } from 'vitest'
import { cleanTags } from './tags.ts'

test('the first spelling of a tag is kept', () => {
  const names = ['  Sci-Fi ', 'sci fi', 'Café', 'CAFE', 'to  read', '', ' ', '★', '★', '☆']
  expect(cleanTags(names)).toEqual(['Sci-Fi', 'Café', 'to read', '★', '☆'])
})

test('tags that only differ in their signs are different tags', () => {
  expect(cleanTags(['C', 'C++', 'c++', 'C#', '#fantasy', 'Fantasy'])).toEqual([
    'C',
    'C++',
    'C#',
    '#fantasy',
  ])
})
