import { expect, it } from 'vitest'
import { tagsOf } from './book-tags.ts'

it.each(['👩‍🚀', '🇬🇧', 'n\u0303'])('cuts no half of %s off a long tag', (last) => {
  const tag = 'a'.repeat(39)
  expect(tagsOf({ tags: [tag + last], owned: 0 })).toEqual([tag])
})

it('keeps as much of a tag as fits, in code points', () => {
  const emoji = '😀'.repeat(40)
  expect(tagsOf({ tags: [`${emoji}x`], owned: 0 })).toEqual([emoji])
})
