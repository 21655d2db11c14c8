import { expect, test } from 'vitest'
import { readCommand } from './command.ts'

test.each([
  ['anne 170', { kind: 'place', title: 'anne', number: 170, isPercent: false }],
  [
    'anne of green gables 40%',
    { kind: 'place', title: 'anne of green gables', number: 40, isPercent: true },
  ],
  ['雪国 12 %', { kind: 'place', title: '雪国', number: 12, isPercent: true }],
  ['finish dune', { kind: 'finish', title: 'dune' }],
  ['Finished Dune', { kind: 'finish', title: 'Dune' }],
  ['want piranesi', { kind: 'want', title: 'piranesi' }],
  ['want to read piranesi', { kind: 'want', title: 'piranesi' }],
  ['finish', null],
  ['1984', null],
  ['the wanted', null],
])('"%s" is read', (text, command) => {
  expect(readCommand(text)).toEqual(command)
})
