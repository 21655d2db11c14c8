import { expect, test } from 'vitest'
import { isPicture, pictureLimits, pictureError } from './picture.ts'

const file = (name: string, type = 'image/png', size = 1) => ({ name, type, size })

test.each([
  [[], null],
  [[file('a.png')], null],
  [[file('A.JPEG', 'image/jpeg', pictureLimits.maxSize)], null],
  [[file('a.svg', '')], null],
  [[file('a.png'), file('b.png')], 'Too many files'],
  [[file('a.pdf', 'application/pdf')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('a.png', 'text/html')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('png', '')], null],
  [[file('a.png', 'image/png', pictureLimits.maxSize + 1)], 'File is bigger than 5 MB'],
])('%j: %s', (files, sentence) => expect(pictureError(files)).toBe(sentence))

test('a picture has bytes, a name and says so', () => {
  expect(isPicture(file('a.png'))).toBe(true)
  expect(isPicture(file('a.png', 'image/png', 0))).toBe(false)
  expect(isPicture(file('a.png', ''))).toBe(false)
  expect(isPicture(file(''))).toBe(false)
})
