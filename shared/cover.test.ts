import { expect, test } from 'vitest'
import { coverPath, readCoverLink } from './cover.ts'

const emma = { title: 'Emma & co', author: 'Jane Austen' }

test.each([
  ['https://covers.openlibrary.org/b/id/258027-L.jpg', 'openlibrary/id-258027'],
  ['http://covers.openlibrary.org/b/id/258027.jpg', 'openlibrary/id-258027'],
  [
    'https://covers.openlibrary.org/b/isbn/978-0-14-143958-7-M.jpg',
    'openlibrary/isbn-9780141439587',
  ],
  ['https://covers.openlibrary.org/b/olid/OL7353617M-S.jpg', 'openlibrary/olid-OL7353617M'],
  [
    'http://books.google.com/books/content?id=NightFerryGB&zoom=1&edge=curl&imgtk=x',
    'google/NightFerryGB',
  ],
  [
    'https://books.google.co.uk/books/publisher/content/images/frontcover/NightFerryGB?fife=w4',
    'google/NightFerryGB',
  ],
])('%s is handed out by this server', (link, path) => {
  expect(coverPath([link], emma, 500)).toBe(
    `/covers/${path}/500?title=Emma+%26+co&author=Jane+Austen`,
  )
})

test.each([
  '',
  'https://',
  '//elsewhere.example/x.jpg',
  'javascript:alert(1)',
  'https://elsewhere.example/cover.jpg',
  'https://covers.openlibrary.org.elsewhere.example/b/id/1-L.jpg',
  'https://covers.openlibrary.org/b/id/-1-L.jpg',
  'https://covers.openlibrary.org/b/id/../../x.jpg',
  'https://notbooks.google.com/books/content?id=NightFerryGB',
  'https://books.google.com/books/content?id=../secret',
])('nothing is loaded from %j', (link) => {
  expect(readCoverLink(link)).toBeNull()
  expect(coverPath([link], emma)).toBeUndefined()
})

test('the first usable address counts, and what is this site’s own stays', () => {
  const own = '/api/files/user_books/1/a.png?thumb=350x0'
  expect(coverPath(['https://elsewhere.example/a.jpg', own], emma)).toBe(own)
  expect(coverPath([], emma)).toBeUndefined()
})
