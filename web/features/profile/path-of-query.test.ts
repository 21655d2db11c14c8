import { expect, test } from 'vitest'
import { profilePathOfQuery } from './path-of-query.ts'

test.each([
  ['/u?username=anne', '/u/anne'],
  ['/u/?username=anne', '/u/anne'],
  ['/u/books?username=anne&sort=title&status=reading', '/u/anne/books?sort=title&status=reading'],
  ['/u/shelves/?username=Anne', '/u/Anne/shelves'],
  ['/u/wishlist?username=a%2F..%2Fb', '/u/a%2F..%2Fb/wishlist'],
  ['/u?username=', undefined],
  ['/u', undefined],
  ['/u/books', undefined],
  // A path that names somebody counts.
  ['/u/anne?username=bram', undefined],
  ['/u/anne/books?username=bram', undefined],
  ['/shelf/abc?username=anne', undefined],
])('%s leads to %s', (address, path) => {
  expect(profilePathOfQuery(new URL(address, 'http://octavo.example'))).toBe(path)
})
