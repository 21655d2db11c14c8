import { expect, test } from 'vitest'
import { reasonInEnglish } from '#shared/english.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { matchBooks } from './match.ts'
import { compareTitles } from '#server/titles/compare.ts'
import { emptyBook } from './row.ts'

const catalogue = await openFederatedStarter()

test.each([
  ['Pride and Prejudice', 'Jane Austen', 'matched'],
  ['Pride and Prejudice (Penguin Classics)', 'Austen, J.', 'matched'],
  ['Pride and Prejudice (Kindle Edition)', 'Jane Austen', 'matched'],
  ['Pride and Prejudice (SparkNotes Guide)', 'Jane Austen', 'doubtful'],
  ['Pride and Prejudice (Vol. 2)', 'Jane Austen', 'unmatched'],
  ['Pride and Prejudice (Book Three)', 'Jane Austen', 'unmatched'],
  ['Pride and Prejudice (Penguin Classics)', 'J. Austen', 'matched'],
  ['Pride and Prejudice: A Novel', 'Jane Austen', 'matched'],
  ['Pride and Prejudice: A Mystery', 'Jane Austen', 'doubtful'],
  ['Pride and Prejudise', 'Jane Austen', 'doubtful'],
  ['Prejudice', 'Jane Austen', 'unmatched'],
  ['Pride and Prejudice', 'Zoe Austen', 'unmatched'],
  ['Death Note, Vol. 1', 'Tsugumi Ohba', 'matched'],
  ['Death Note (Death Note, #1)', 'Tsugumi Ohba', 'matched'],
  ['Death Note (Death Note, #1-3)', 'Tsugumi Ohba', 'unmatched'],
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
  ['Salt and Iron (Vol. 2)', ann, 'Salt and Iron, Vol. 2', ann, 'same'],
  ['Salt and Iron (Book II)', ann, 'Salt and Iron (Book 2)', ann, 'same'],
  ['Salt and Iron (Book 2)', ann, 'Salt and Iron', ann, null],
  ['Salt and Iron (Salt and Iron, #2)', ann, 'Salt and Iron (Salt and Iron, #3)', ann, null],
  ['Salt and Iron (Salt and Iron, #1)', ann, 'Salt and Iron', ann, 'same'],
  ['Salt and Iron, Vol. 1 (Salt and Iron, #1)', ann, 'Salt and Iron, Vol. 1', ann, 'same'],
  ['Salt and Iron, Vol. 1 (Salt and Iron, #1)', ann, 'Salt and Iron', ann, null],
  ['Salt and Iron (Salt and Iron, #1-3)', ann, 'Salt and Iron', ann, null],
  ['Salt and Iron (The Coast, #3, Part 1)', ann, 'Salt and Iron', ann, null],
  ['Salt and Iron (The Cellar of Lost Books, #3)', ann, 'Salt and Iron', ann, 'same'],
  ['Salt and Iron (The Coast Comics, #3)', ann, 'Salt and Iron', ann, null],
  ['Salt and Iron: A Novel', ann, 'Salt and Iron', ann, 'same'],
  ['Salt and Iron (Graphic Novel)', ann, 'Salt and Iron', ann, null],
])('“%s” by %j and “%s” by %j are %s', (one, by, other, byOther, expected) => {
  const books = [
    { title: one, authors: by },
    { title: other, authors: byOther },
  ] as const
  expect(compareTitles(books[0], books[1])).toBe(expected)
  expect(compareTitles(books[1], books[0])).toBe(expected)
})

const emptyResult = { id: 'b1', isbns: {}, genres: [], image_links: [], page_count: 0 }
type Catalogue = Pick<typeof catalogue, 'named'>
const books = (titles: readonly string[], authors: readonly string[]) =>
  titles.map((title) => ({ ...emptyResult, title, authors }))

/** A catalogue that only finds this by its ISBN. */
const onlyByIsbn = (title: string, authors: string[]) =>
  ({
    named: async () => [{ byIsbn: books([title], authors)[0], byName: [] }],
  }) as unknown as Catalogue

/** A catalogue that finds these under the author that is asked for. */
const onlyByName = (titles: string[], authors: string[]) =>
  ({
    named: async () => [{ byIsbn: null, byName: books(titles, authors) }],
  }) as unknown as Catalogue

test.each([
  ['Salt and Iron', ann, ['Salt and Iron: The First Winter'], 'matched'],
  ['Salt and Iron', ann, ['Salt and Iron: The Screenplay'], 'doubtful'],
  ['Salt and Iron', ann, ['Salt and Iron: Text and Criticism'], 'doubtful'],
  ['Salt and Iron', ann, ['Salt and Iron: Eighteen Stories'], 'doubtful'],
  ['Salt and Iron', ann, ['Salt and Iron: One', 'Salt and Iron: Another'], 'doubtful'],
  ['Salt and Iron: The First Winter', ann, ['Salt and Iron'], 'doubtful'],
  ['Salt and Iron', ['Анна Отхер'], ['Salt and Iron'], 'matched'],
  ['Salt and Iron', ['Zoe Else'], ['Salt and Iron'], 'unmatched'],
])('without an ISBN, “%s” by %j and %j are %s', async (title, authors, found, state) => {
  const [match] = await matchBooks(onlyByName(found, ann), [{ ...emptyBook, title, authors }])
  expect(match!.state).toBe(state)
})

test.each([
  ['The Idiot', ['Fyodor Dostoyevsky'], 'The Idiot', ['Fyodor Dostoevsky'], null],
  ['The Idiot', ['Dostoyevsky, Fyodor'], 'The Idiot', ['Fyodor Dostoevsky'], null],
  ['The Idiot', ['Фёдор Достоевский'], 'The Idiot', ['Fyodor Dostoevsky'], null],
  ['Don Quixote', ['Miguel de Cervantes Saavedra'], 'Don Quixote', ['Miguel de Cervantes'], null],
  ['Tall Tales', ['L.E. Writer Jr.'], 'Tall Tales', ['L. E. Writer'], null],
  [
    'Emma',
    ['Zoe Else'],
    'Emma',
    ['Jane Austen'],
    'In our catalogue ISBN 9780141439587 is by Jane Austen.',
  ],
  [
    'Emma (Vol. 2)',
    ['Jane Austen'],
    'Emma',
    ['Jane Austen'],
    'In our catalogue ISBN 9780141439587 is “Emma”, which may be another volume or edition.',
  ],
  [
    'Emma',
    ['Jane Austen'],
    'Persuasion',
    ['Jane Austen'],
    'In our catalogue ISBN 9780141439587 is “Persuasion”.',
  ],
  ['Persausion', ['Jane Austen'], 'Persuasion', ['Jane Austen'], null],
  ['Meza', ['Zoe Else'], 'Mesa', ['Zoe Else'], null],
  [
    'Persausion',
    ['Zoe Else'],
    'Persuasion',
    ['Jane Austen'],
    'In our catalogue ISBN 9780141439587 is “Persuasion”.',
  ],
])('with one ISBN, “%s” by %j and “%s” by %j: %s', async (title, authors, found, by, reason) => {
  const given = onlyByIsbn(found, by)
  const [match] = await matchBooks(given, [{ ...emptyBook, isbn: '9780141439587', title, authors }])
  expect([match!.state, match!.reason && reasonInEnglish(match!.reason)]).toEqual([
    reason ? 'doubtful' : 'matched',
    reason,
  ])
})

test('R60: is not held up by a row with 120,000 authors', async () => {
  const authors = Array.from({ length: 120_000 }, (_, n) => `Somebody${n} Else${n}`)
  const book = { ...emptyBook, title: 'Pride and Prejudise', authors }
  const before = process.threadCpuUsage()
  const [match] = await matchBooks(catalogue, [book])
  const { user, system } = process.threadCpuUsage(before)
  expect(match!.state).toBe('unmatched')
  expect((user + system) / 1000).toBeLessThan(100)
})
