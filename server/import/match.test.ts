import { expect, test } from 'vitest'
import { openStarterWorld } from '#tests/open-starter.ts'
import { matchBooks } from './match.ts'
import { emptyBook } from './row.ts'

const catalogue = await openStarterWorld()

test.each([
  ['Pride and Prejudice', 'Jane Austen', 'matched'],
  ['Pride and Prejudice (Penguin Classics)', 'Austen, J.', 'unmatched'],
  ['Pride and Prejudice (Penguin Classics)', 'J. Austen', 'matched'],
  ['Pride and Prejudice: A Novel', 'Jane Austen', 'doubtful'],
  ['Pride and Prejudise', 'Jane Austen', 'doubtful'],
  ['Prejudice', 'Jane Austen', 'unmatched'],
  ['Pride and Prejudice', 'Zoe Austen', 'unmatched'],
  ['Death Note, Vol. 1', 'Tsugumi Ohba', 'doubtful'],
  // Another volume is another book, however alike the titles.
  ['Death Note, Vol. 91', 'Tsugumi Ohba', 'unmatched'],
])('“%s” by %s is %s', async (title, author, state) => {
  const [match] = await matchBooks(catalogue, [{ ...emptyBook, title, authors: [author] }])
  expect(match!.state).toBe(state)
})
