import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { starter } from '#catalogue/starter-works.ts'
import { foldTitle } from '#catalogue/text/fold.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { neighboursOf } from './neighbours.ts'
import { mostReadBooks, type MostReadBook } from './books.ts'

const books = mostReadBooks()
const works = [...starter().works]

/** The titles of the books that break a rule, so that a failure names them. */
const breaking = (rule: (book: MostReadBook) => boolean) =>
  books.filter((book) => !rule(book)).map(({ title }) => title)

test('nearly ten thousand books and their neighbours fit into less than two megabytes', () => {
  expect(books.length).toBeGreaterThan(9900)
  const sizeOf = (file: string) => statSync(new URL(file, import.meta.url)).size
  expect(sizeOf('books.tsv') + sizeOf('neighbours.txt')).toBeLessThan(2_000_000)
})

test('neighbours are other books that are known, of other series', () => {
  const byIsbn = new Map(books.flatMap((book) => book.isbns.map((isbn) => [isbn, book] as const)))
  const withNeighbours = [...byIsbn.keys()].filter((isbn) => neighboursOf(isbn).length > 0)
  expect(withNeighbours.length).toBeGreaterThan(3900)
  const wrong = withNeighbours.filter((isbn) => {
    const near = neighboursOf(isbn)
    const series = new Set(byIsbn.get(isbn)?.series.map(({ name }) => name))
    return (
      new Set([isbn, ...near]).size !== near.length + 1 ||
      near.length > 12 ||
      near.some((one) => byIsbn.get(one)?.series.some(({ name }) => series.has(name)) ?? true)
    )
  })
  expect(wrong).toEqual([])
  expect(neighboursOf('9780061120084')).toContain('9780743273565')
})

test('every book has a title without its series, an author and a number of ratings', () => {
  expect(breaking(({ title }) => title !== '' && !/\(.*#.*\)$/.test(title))).toEqual([])
  expect(breaking(({ authors }) => authors.length > 0 && authors.every(Boolean))).toEqual([])
  expect(breaking(({ ratings }) => ratings > 1000)).toEqual([])
  expect(books.map(({ ratings }) => ratings)).toEqual(
    books.map(({ ratings }) => ratings).toSorted((a, b) => b - a),
  )
})

test('years, languages, ISBNs and pages are well-formed or empty', () => {
  expect(breaking(({ year }) => /^(\d{4})?$/.test(year))).toEqual([])
  expect(breaking(({ language }) => /^([a-z]{3})?$/.test(language))).toEqual([])
  expect(breaking(({ isbns }) => isbns.every((isbn) => toIsbn13(isbn) === isbn))).toEqual([])
  expect(breaking(({ pages }) => Number.isInteger(pages) && pages >= 0)).toEqual([])
})

test('translators and illustrators are no authors', () => {
  const authorsOf = (title: string) => books.find((book) => book.title === title)?.authors
  expect(authorsOf('The Girl with the Dragon Tattoo')).toEqual(['Stieg Larsson'])
  expect(authorsOf("Harry Potter and the Sorcerer's Stone")).toEqual(['J.K. Rowling'])
  expect(authorsOf('Norwegian Wood')).toEqual(['Haruki Murakami'])
  expect(authorsOf('Good Omens: The Nice and Accurate Prophecies of Agnes Nutter, Witch')).toEqual([
    'Terry Pratchett',
    'Neil Gaiman',
  ])
})

test('series of one name by two authors are two', () => {
  const authorsBy = (by: string) =>
    books.filter(({ series }) => series.some((place) => place.name === 'After' && place.by === by))
  expect(authorsBy('').map(({ authors }) => authors[0])).toEqual(Array(4).fill('Anna Todd'))
  expect(authorsBy('William R. Forstchen')).toHaveLength(1)
})

test('a publisher’s collection is no series', () => {
  const names = new Set(books.flatMap(({ series }) => series.map(({ name }) => name)))
  const collections = [/penguin/i, /oxford world/i, /classics/i, /masterworks/i, /golden book/i]
  expect([...names].filter((name) => collections.some((one) => one.test(name)))).toEqual([])
})

test('every book is in the starter catalogue once, the books with our own texts first', () => {
  const ids = works.flatMap(({ editions }) => editions.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  const isOurs = works.map(({ description }) => description !== '')
  expect(isOurs.lastIndexOf(true)).toBeLessThan(isOurs.indexOf(false))
  for (const title of ['Pride and Prejudice', 'Nineteen Eighty-Four', 'The Hobbit', 'Dracula'])
    expect(works.filter((work) => work.title === title)).toHaveLength(1)
  const orwell = works.filter(({ authors }) => authors.includes('George Orwell'))
  expect(orwell.map(({ title }) => title)).not.toContain('1984')
  expect(orwell.flatMap(({ other_titles }) => other_titles).map(foldTitle)).toContain('1984')
})
