import { expect, test } from 'vitest'
import { coverAddress } from './cover-address.ts'

test('the first address that is one is used, else the cover is drawn', () => {
  expect(coverAddress(['', '/local.jpg', 'https://covers.example/1.jpg'])).toBe(
    'https://covers.example/1.jpg',
  )
  expect(coverAddress([])).toBeUndefined()
  expect(coverAddress(['javascript:alert(1)'])).toBeUndefined()
  expect(coverAddress(['https://'])).toBeUndefined()
})

test('Google sends its covers in the size they are shown in, others are left as they are', () => {
  expect(coverAddress(['https://books.google.com/books/content?id=a&zoom=1'], 500)).toBe(
    'https://books.google.com/books/content?id=a&zoom=1&fife=w500',
  )
  expect(coverAddress(['https://notgoogle.com/a.jpg'])).toBe('https://notgoogle.com/a.jpg')
})
