import { expect, test } from 'vitest'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { compareTitles, matchBooks } from './match.ts'
import { emptyBook } from './row.ts'

const catalogue = await openFederatedStarter()

test.each([
  ['Pride and Prejudice', 'Jane Austen', 'matched'],
  ['Pride and Prejudice (Penguin Classics)', 'Austen, J.', 'unmatched'],
  ['Pride and Prejudice (Penguin Classics)', 'J. Austen', 'matched'],
  ['Pride and Prejudice: A Novel', 'Jane Austen', 'doubtful'],
  ['Pride and Prejudise', 'Jane Austen', 'doubtful'],
  ['Prejudice', 'Jane Austen', 'unmatched'],
  ['Pride and Prejudice', 'Zoe Austen', 'unmatched'],
  ['Death Note, Vol. 1', 'Tsugumi Ohba', 'doubtful'],
  // Another volume is another book, however similar the titles.
  ['Death Note, Vol. 91', 'Tsugumi Ohba', 'unmatched'],
])('“%s” by %s is %s', async (title, author, state) => {
  const [match] = await matchBooks(catalogue, [{ ...emptyBook, title, authors: [author] }])
  expect(match!.state).toBe(state)
})

const ann = ['Ann Other']
test.each([
  ['Salt and Iron', ann, 'Salt & Iron (The Coast, #2)', ['A. Other'], 'same'],
  ['Salt and Iron', ann, 'Salt and Iron: A Memoir', ann, 'similar'],
  ['Salt and Iron', ann, 'Salt and Iron', [], 'similar'],
  ['Salt and Iron: The First Winter', ann, 'Salt and Iron: The Second Winter', ann, null],
  ['Salt and Iron (The Coast, #1)', ann, 'Salt and Iron (The Coast, #2)', ann, null],
  ['Salt and Iron', ann, 'Salt and Iron', ['Zoe Else'], null],
  ['Salt', ann, 'Salt and Iron', ann, null],
])('“%s” by %j and “%s” by %j are %s', (one, by, other, byOther, expected) => {
  const books = [
    { title: one, authors: by },
    { title: other, authors: byOther },
  ] as const
  expect(compareTitles(books[0], books[1])).toBe(expected)
  expect(compareTitles(books[1], books[0])).toBe(expected)
})
