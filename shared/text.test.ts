import { expect, it } from 'vitest'
import { displayWidth, foldText } from './text.ts'

it.each([
  ['abcd', 4],
  ['雪国', 4],
  ['ｆｕ', 4],
  ['한글', 4],
  ['It', 2],
  ['né', 2],
  ['', 0],
])('counts %s as %i', (text, length) => expect(displayWidth(text)).toBe(length))

it.each([
  ['Les Misérables', 'les miserables'],
  ["Ender's  Game!", 'enders game'],
  ['Ender’s Game', 'enders game'],
  ['Weiß — Straße', 'weiss strasse'],
  ['雪国', '雪国'],
  ['Ｆｕｌｌ', 'full'],
])('folds %s', (text, folded) => expect(foldText(text)).toBe(folded))

it('keeps voiced kana apart from plain kana', () =>
  expect(foldText('ガラス')).not.toBe(foldText('カラス')))
