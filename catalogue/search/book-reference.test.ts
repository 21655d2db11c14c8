import { expect, test } from 'vitest'
import { openStarter } from '#tests/open-starter.ts'

const { catalogue } = await openStarter()

/** @returns the titles that a look-up gives for each, the first by ISBN if there is one */
async function found(...books: [isbn: string, title: string, author: string][]) {
  const answers = await catalogue.named(
    books.map(([isbn, title, author]) => ({
      isbn,
      titles: [title, title.split(': ')[0]!],
      authors: author ? [author] : [],
    })),
  )
  return answers.map(({ byIsbn, byName }) => (byIsbn ? [byIsbn] : byName).map(({ title }) => title))
}

test('books are looked up together, each in its place', async () => {
  expect(
    await found(
      ['', 'PRIDE & PREJUDICE', 'Jane Austen'],
      ['', 'Nowhere to Be Found', 'Nobody Atall'],
      ['9780141439587', 'Anything', 'Anybody'],
      ['', 'The Moby Dick', 'H. Melville'],
    ),
  ).toEqual([['Pride and Prejudice'], [], ['Emma'], ['Moby-Dick']])
})

test('more than one question takes are answered in order', async () => {
  const many = Array.from({ length: 60 }, (_, n): [string, string, string] =>
    n % 2 ? ['', 'Emma', 'Jane Austen'] : ['', `No ${n}`, 'Nobody'],
  )
  const answers = await found(...many)
  expect(answers).toEqual(many.map((_, n) => (n % 2 ? ['Emma'] : [])))
})

test('a title without its author, or with another’s, finds nothing', async () => {
  expect(await found(['', 'Emma', ''], ['', 'Emma', 'Herman Melville'])).toEqual([[], []])
})

test('a subtitle and a wrong letter leave the author’s work to be found', async () => {
  expect(await found(['', 'Wuthering Hights: A Novel', 'Emily Brontë'])).toEqual([
    ['Wuthering Heights'],
  ])
})

test('the language of the index can’t be spoken from outside', async () => {
  const odd = ['"', '" OR "', 'title:x', 'a* AND (', 'NEAR(a b)', '{title} : x', '\uE000']
  for (const text of odd) await expect(found(['x', text, `${text} qzxv`])).resolves.toEqual([[]])
})
