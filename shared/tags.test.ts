import { expect, test } from 'vitest'
import { cleanTags } from './tags.ts'

test('the first spelling of a tag is kept', () => {
  const names = ['  Sci-Fi ', 'sci fi', 'Café', 'CAFE', 'to  read', '', ' ', '★', '★', '☆']
  expect(cleanTags(names)).toEqual(['Sci-Fi', 'Café', 'to read', '★', '☆'])
})
