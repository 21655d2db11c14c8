import { expect, test } from 'vitest'
import { sharpen } from './sharpen.ts'

/** One row of grey values as a canvas has them. */
const row = (values: number[]) => ({
  data: new Uint8ClampedArray(values.flatMap((value) => [value, value, value, 255])),
  width: values.length,
  height: 1,
})
const greys = (pixels: Uint8ClampedArray) => [...pixels].filter((_, at) => at % 4 === 0)

/** Black and white bars, blurred until they are nearly grey. */
const bars = Array.from({ length: 40 }, (_, x) => 128 + (Math.floor(x / 3) % 2 ? 20 : -20))

test('bars stand further apart', () => {
  const sharp = greys(sharpen(row(bars), 3)).slice(8, -8)
  expect(Math.max(...sharp) - Math.min(...sharp)).toBeGreaterThan(100)
})

test('an even field stays as it is', () => {
  expect(greys(sharpen(row(Array.from({ length: 20 }, () => 90)), 3))).toEqual(
    Array.from({ length: 20 }, () => 90),
  )
})
