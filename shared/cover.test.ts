import { expect, test } from 'vitest'
import { coverPath, linkedCoverPath, parseCoverLink } from './cover.ts'

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
  expect(parseCoverLink(link)).toBeNull()
  expect(coverPath([link], emma)).toBeUndefined()
})

test('a picture at any address is handed out to who may see its book, or typed it', () => {
  const address = 'https://elsewhere.example/a cover.jpg?size=1&x'
  const words = 'title=Emma+%26+co&author=Jane+Austen'
  const linked = linkedCoverPath('abcdefghijklmno', address)
  expect(linked).toMatch(/^\/covers\/linked\/abcdefghijklmno\/[0-9a-f]{1,8}$/)
  expect(linkedCoverPath('abcdefghijklmno', `${address}y`)).not.toBe(linked)
  expect(coverPath([linked], emma, 500)).toBe(`${linked}?width=500&${words}`)
  const typed = coverPath([`/covers/linked/typed?${new URLSearchParams({ address })}`], emma) ?? ''
  expect(new URL(typed, 'https://octavo.example').searchParams.get('address')).toBe(address)
  expect(typed).toMatch(/^\/covers\/linked\/typed\?address=[^&]+&width=350&title=/)
})

test('the first usable address counts, and what is this site’s own stays', () => {
  const own = '/api/files/user_books/1/a.png?thumb=350x0'
  expect(coverPath(['https://elsewhere.example/a.jpg', own], emma)).toBe(own)
  expect(coverPath([], emma)).toBeUndefined()
})
