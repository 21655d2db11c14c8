import { expect, it } from 'vitest'
import { drawCover } from './drawn-cover.ts'

it.each(['𠮷', '😀', '長', 'é', 'ש'])(
  'ends a title of many %s with whole characters',
  (character) => {
    for (let n = 0; n < 20; n++) {
      const cover = drawCover(
        `a word ${character} `.repeat(30 + n),
        `${character} name ${character} `.repeat(9),
      )
      expect(cover.isWellFormed()).toBe(true)
      expect(cover).not.toContain('\uFFFD')
    }
  },
)
