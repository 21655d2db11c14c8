import { expect, it } from 'vitest'
import { cutText, displayWidth, foldText, initialOf, isVisible } from './text.ts'

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
  ['हिन्दी!', 'हिन्दी'],
  ['مُحَمَّد', 'محمد'],
  ['مـحـمـّد', 'محمد'],
  ['\uFE77\u0640', ''],
  ['שָׁלוֹם', 'שלום'],
  ['Όμηρος — Ὀδύσσεια', 'ομηροσ οδυσσεια'],
  ['ΟΔΥΣΣΕΑΣ', 'οδυσσεασ'],
  ['soft\u00ADhyphen', 'softhyphen'],
  ['zero\u200Bwidth \u200Fmark\u2060s', 'zerowidth marks'],
  ['हिन्\u200Dदी', 'हिन्दी'],
  ['می\u200Cخواهم', 'مي خواهم'],
  ['\u3164한글\uFFA0', '한글'],
  ['کتاب', 'كتاب'],
  ['Đặng Łódź þorn', 'dang lodz thorn'],
  ['Hawaiʻi, Hawai‘i, Gogolʹ, ʿAbd', 'hawaii hawaii gogol abd'],
  ['２０２４ ٢٠٢٤ २०२४', '2024 2024 2024'],
  ['İstanbul 1️⃣', 'istanbul 1'],
  ['雪\uFE00国', '雪国'],
])('folds %s', (text, folded) => expect(foldText(text)).toBe(folded))

it.each([
  ['voiced kana', 'マンガ', 'マンカ'],
  ['voiced kana', 'ガラス', 'カラス'],
  ['vowels of Hindi', 'सीता', 'सती'],
])('keeps %s apart: %s, %s', (_, one, other) => {
  expect(foldText(one)).toBe(one)
  expect(foldText(other)).toBe(other)
})

it.each([
  ['🇬🇧 Tom', '🇬🇧'],
  ['👩‍🚀 Ana', '👩‍🚀'],
  ['ßtest', 'ß'],
  ['ﬁn', 'ﬁ'],
  ['e\u0301mile', 'E\u0301'],
  ['\u200F\u2068عمر', 'ع'],
  [' anna', 'A'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 Eve', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['1️⃣ Ben', '1️⃣'],
  ['👨‍👩‍👧‍👦 Doe', '👨‍👩‍👧‍👦'],
  ['한글'.normalize('NFD'), '한'.normalize('NFD')],
  ['กำไร', 'กำ'],
  ['\u3164\u2800Mia', 'M'],
  ['\uFE0F\u0301Mia', 'M'],
  ['ǆ', 'Ǆ'],
  ['', ''],
])('the initial of %s is %s', (name, initial) => expect(initialOf(name)).toBe(initial))

it.each([
  ['Tom 🇬🇧', 6, 'Tom '],
  ['Ana 👩‍🚀!', 8, 'Ana '],
  ['cafe\u0301', 4, 'caf'],
  ['👍👍', 3, '👍'],
  ['short', 10, 'short'],
  [`a${'\u0301'.repeat(500)}`, 3, 'a\u0301\u0301'],
])('%j cut to %i is %j', (text, most, cut) => expect(cutText(text, most)).toBe(cut))

it.each(['', ' ', '\u200B', '\u200D', '\u3164', '\u2800', '\u00AD\u202E', '\uFE0F'])(
  'nothing of %j can be seen',
  (text) => expect(isVisible(text)).toBe(false),
)

it.each(['a', '★', '\u200Fع', '👩\u200D🚀', '\u0301'])('%j can be seen', (text) =>
  expect(isVisible(text)).toBe(true),
)
