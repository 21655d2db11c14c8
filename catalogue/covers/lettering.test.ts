import { expect, test } from 'vitest'
import type { Mask } from './canvas.ts'
import { letters, spineLetters } from './lettering.ts'

const room = { size: 40, width: 600, height: 80 }

/** @returns how much of some columns is covered */
function ink({ width, height, coverage }: Mask, from = 0, to = width): number {
  let sum = 0
  for (let y = 0; y < height; y++)
    for (let x = from; x < to; x++) sum += coverage[y * width + x]! / 255
  return Math.round(sum)
}

test.each([
  ['Latin', 'Forty books, Żółć'],
  ['Greek', 'Οδύσσεια'],
  ['Cyrillic', 'Война и мир'],
  ['Arabic', 'ألف ليلة وليلة'],
  ['Hebrew', 'שירה'],
  ['Japanese', '吾輩は猫である'],
  ['Chinese', '红楼梦'],
  ['Korean', '채식주의자'],
])('%s is drawn, along a line and down a spine', async (_, text) => {
  const line = await letters(text, room)
  const spine = await spineLetters(text, room)
  expect(ink(line!)).toBeGreaterThan(100)
  expect(line!.width).toBeGreaterThan(line!.height)
  expect(spine!.height).toBeGreaterThan(spine!.width)
})

test('letters are each their own, not the box of a missing one', async () => {
  for (const [one, other] of [
    ['ب', 'ت'],
    ['ש', 'ל'],
    ['猫', '犬'],
    ['红', '绿'],
    ['채', '식'],
    ['Ж', 'Я'],
  ]) {
    const [a, b] = [await letters(one!, room), await letters(other!, room)]
    expect(Buffer.from(a!.coverage).equals(b!.coverage), `${one} ${other}`).toBe(false)
  }
})

test('Arabic letters join, and Arabic and Hebrew run from right to left', async () => {
  const nonJoiner = '\u200C'
  const joined = await letters('ههه', room)
  const apart = await letters(['ه', 'ه', 'ه'].join(nonJoiner), room)
  expect(joined!.width).not.toBe(apart!.width)
  // A small letter, then a large one: the large one stands at the left.
  for (const text of ['י ש', '. ش']) {
    const mask = await letters(text, room)
    const middle = Math.round(mask!.width / 2)
    expect(ink(mask!, 0, middle), text).toBeGreaterThan(ink(mask!, middle))
  }
})

test('what the fonts lack is left out, and what is too long gets smaller', async () => {
  for (const text of ['शून्य', 'Emma 😀', '', ' ', 'a\u0007b'])
    expect(await letters(text, room)).toBeNull()
  const long = await letters('A title that is longer than its line', { ...room, height: 40 })
  expect(long!.width).toBeLessThanOrEqual(room.width)
  expect(
    await letters('A title that is far too long '.repeat(4), { ...room, height: 20 }),
  ).toBeNull()
  expect(await letters('Emma <b>& more</b>', room)).not.toBeNull()
})
