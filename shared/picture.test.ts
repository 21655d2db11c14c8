import { expect, test } from 'vitest'
import { ruleInEnglish } from './english.ts'
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
  [[file('photo', '')], null],
  [[file('photo', 'image/jpeg')], null],
  [[file('photo.jfif', 'image/jpeg')], null],
  [[file('photo.JFIF', '')], null],
  [[file('photo', 'application/octet-stream')], null],
  [[file('photo.jpg', 'application/octet-stream')], null],
  [[file('photo.jpg?width=300', '')], null],
  [[file('photo.JPG (1)', '')], null],
  [[file('Mt. Fuji', '')], null],
  [[file('Cover v1.2', '')], null],
  [[file('1000012345.67', '')], null],
  [[file('صورة', '')], null],
  [[file('photo.JPG', 'IMAGE/JPEG')], null],
  [[file('photo.webp', 'image/webp; charset=binary')], null],
  [[file('photo.jpg_large', '')], null],
  [[file('photo.jpg', 'image/heic')], null],
  [[file('photo.HEIC', '')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('photo.avif', 'image/avif')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('song.mp3', '')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [
    [file('a.zip', 'application/octet-stream')],
    'File type must be jpg, jpeg, png, webp, svg or gif',
  ],
  [[file('photo.heic', 'image/heic')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('notes.txt', '')], 'File type must be jpg, jpeg, png, webp, svg or gif'],
  [[file('a.png', 'image/png', pictureLimits.maxSize + 1)], 'File is bigger than 5 MB'],
])('%j: %s', (files, sentence) => {
  const refused = pictureError(files)
  expect(refused && ruleInEnglish(refused)).toBe(sentence)
})

test('a file may have to be of some size', () => {
  const minSize = 16
  const refused = pictureError([file('a.png', 'image/png', 15)], { minSize })
  expect(refused && ruleInEnglish(refused)).toBe('File is smaller than 16 bytes')
  expect(pictureError([file('a.png', 'image/png', 16)], { minSize })).toBeNull()
})

test('a picture has bytes and a name', () => {
  expect(isPicture(file('a.png'))).toBe(true)
  expect(isPicture(file('a.png', 'image/png', 0))).toBe(false)
  expect(isPicture(file('a.png', ''))).toBe(true)
  expect(isPicture(file(''))).toBe(false)
})
