import { expect, test } from 'vitest'
import { calibre, hardcover } from './other-formats.ts'
import { RowReader } from './row-reader.ts'

test.each([
  ['Discworld (#2.0), Rincewind (#2.0)', 'Discworld', '2'],
  ['The Expanse (#0.1)', 'The Expanse', '0.1'],
  ['Sandman (#1-3)', 'Sandman', '1-3'],
  ['Earthsea', 'Earthsea', ''],
  ['', '', ''],
])('Hardcover’s series %j is %j, %j', (series, name, position) => {
  const cells = { Title: 'A', Series: series, 'Language Code': 'en', 'Publish Date': '1986-06-02' }
  expect(hardcover.read(new RowReader(cells)).facts).toEqual({
    series: name,
    series_position: position,
    language: 'eng',
    published: '1986-06-02',
    description: '',
  })
})

test('Calibre’s catalogue says in what series a book is, and what it is about', () => {
  const cells = {
    title: 'A',
    series: 'InCryptid',
    series_index: '8.0',
    languages: 'eng, fra',
    pubdate: '2019-03-05T01:00:00+01:00',
    comments: '<div>One.<br>Two.</div>',
  }
  expect(calibre.read(new RowReader(cells)).facts).toEqual({
    series: 'InCryptid',
    series_position: '8',
    language: 'eng',
    published: '2019-03-05',
    description: 'One.\nTwo.',
  })
})
