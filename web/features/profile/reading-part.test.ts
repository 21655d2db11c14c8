import { expect, test } from 'vitest'
import { readStatisticsForm } from './reading-part.ts'

test('an address that no statistics have is read as far as it makes sense', () => {
  const read = (query: string) => readStatisticsForm(new URLSearchParams(query))
  expect(read('year=2024&genre=%00&tag=a%00b&shelf=c&format=audio')).toEqual({
    year: '2024',
    genre: undefined,
    tag: 'ab',
    shelf: 'c',
    format: 'audio',
  })
  for (const year of ['-1', '99999', '1e309', 'NaN', '２０２４'])
    expect(read(`year=${year}&format=vinyl`)).toMatchObject({
      year: year === '99999' ? '9999' : undefined,
      format: undefined,
    })
  expect(read(`genre=${'x'.repeat(600)}`).genre).toHaveLength(500)
})
