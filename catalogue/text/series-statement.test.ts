import { expect, test } from 'vitest'
import { isPublishersOwn, seriesStatement, statementsInTitle } from './series-statement.ts'

test.each([
  ['Dune, #1', 'Dune', '1'],
  ['(Dune, #1)', 'Dune', '1'],
  ['Dune #1.5', 'Dune', '1.5'],
  ['The Expanse 2', 'The Expanse', '2'],
  ['Dune ; v. 3', 'Dune', '3'],
  ['Dune, Bk. 04.', 'Dune', '4'],
  ['Discworld -- vol.12', 'Discworld', '12'],
  ['Redwall (6)', 'Redwall', '6'],
  ['Grisha Trilogy ; book 1', 'Grisha Trilogy', '1'],
  ['The Story of Civilization, Part III', 'The Story of Civilization', '3'],
  ['The Dark Tower, Vol. I', 'The Dark Tower', '1'],
  ['Mistborn: Book Two', 'Mistborn', '2'],
  ['A Song of Ice and Fire, 1-3', 'A Song of Ice and Fire', '1-3'],
  ['ロアルド・ダール コレクション 4', 'ロアルド・ダール コレクション', '4'],
])('“%s” is a place in a series', (text, name, position) => {
  expect(seriesStatement(text)).toEqual({ name, position })
})

test.each([
  'Dune',
  '#1',
  'Book 2',
  'Part III',
  'Henry V',
  'Malcolm X',
  'The Silent Part Missing',
  '',
  'Annals 1984',
  'Beginner books -- B-16',
  '3',
  '9'.repeat(300),
])('“%s” is none', (text) => {
  expect(seriesStatement(text)).toBeNull()
})

test('a title says it in brackets with a number sign', () => {
  expect(statementsInTitle('Dune Messiah (Dune, #2; Arrakis #3)')).toEqual([
    { name: 'Dune', position: '2' },
    { name: 'Arrakis', position: '3' },
  ])
  for (const title of ['Dune (Penguin 2)', '(Dune, #1)', 'Dune #1', 'Dune (#1)', 'Dune'])
    expect(statementsInTitle(title)).toEqual([])
})

test('a series with a word of its publisher’s name is the publisher’s', () => {
  expect(isPublishersOwn('Penguin classics', 'Penguin Books Ltd.')).toBe(true)
  expect(isPublishersOwn('Alfaguara Infantil', 'Alfaguara')).toBe(true)
  expect(isPublishersOwn('The Books of Magic', 'Puffin Books')).toBe(false)
  expect(isPublishersOwn('Dune', '')).toBe(false)
})
