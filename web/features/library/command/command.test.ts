import { afterEach, expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { setLanguageOfRequest } from '#web/i18n/language.ts'
import { readCommand } from './command.ts'

test.each([
  ['anne 170', { kind: 'position', title: 'anne', number: 170, isPercent: false }],
  [
    'anne of green gables 40%',
    { kind: 'position', title: 'anne of green gables', number: 40, isPercent: true },
  ],
  ['雪国 12 %', { kind: 'position', title: '雪国', number: 12, isPercent: true }],
  ['moby ３９０', { kind: 'position', title: 'moby', number: 390, isPercent: false }],
  ['moby ٣٩٠', { kind: 'position', title: 'moby', number: 390, isPercent: false }],
  ['moby ٣٩ ٪', { kind: 'position', title: 'moby', number: 39, isPercent: true }],
  ['moby ３９％', { kind: 'position', title: 'moby', number: 39, isPercent: true }],
  ['moby\u3000３９０', { kind: 'position', title: 'moby', number: 390, isPercent: false }],
  ['moby \u200F٣٩٠\u200F', { kind: 'position', title: 'moby', number: 390, isPercent: false }],
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

afterEach(() => setLanguageOfRequest(() => 'en'))

test.each([
  ['de', 'dune beenden', { kind: 'finish', title: 'dune' }],
  ['de', 'finish dune', { kind: 'finish', title: 'dune' }],
  ['es', 'quiero leer dune', { kind: 'want', title: 'dune' }],
  ['ja', '雪国を読了', { kind: 'finish', title: '雪国' }],
] as const)('in %s "%s" is read', (language: Language, text, command) => {
  setLanguageOfRequest(() => language)
  expect(readCommand(text)).toEqual(command)
})
