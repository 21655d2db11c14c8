import { expect, test } from 'vitest'
import { toIsbn13 } from '#shared/isbn.ts'
import { languageName } from '#shared/book.ts'
import { starterAuthors, starterBooks, starterSeries, type StarterBook } from './starter.ts'

const books = starterBooks()
const thisYear = new Date().getFullYear()
const named = (title: string) => books.find((book) => book.title === title)

/** The values that stand more than once. */
const repeated = (values: string[]) => values.filter((value, i) => values.indexOf(value) !== i)

test('a new installation has a full shelf of classics and of manga', () => {
  expect(books.filter((book) => book.list === 'classics').length).toBeGreaterThanOrEqual(120)
  expect(books.filter((book) => book.list === 'manga').length).toBeGreaterThanOrEqual(120)
})

test('manga covers many series and holds light novels', () => {
  const manga = books.filter((book) => book.list === 'manga')
  expect(new Set(manga.map((book) => book.series)).size).toBeGreaterThanOrEqual(45)
  expect(manga.filter((book) => book.genres.includes('Light Novel')).length).toBeGreaterThanOrEqual(
    15,
  )
  expect(repeated(manga.map((book) => `${book.series} ${book.volume}`))).toEqual([])
})

/** The titles of the books that break a rule, so that a failure names them. */
const breaking = (rule: (book: StarterBook) => boolean) =>
  books.filter((book) => !rule(book)).map((book) => book.title)

test('every ISBN is a valid ISBN-13 and names one book only', () => {
  expect(breaking((book) => toIsbn13(book.isbn13) === book.isbn13)).toEqual([])
  expect(repeated(books.map((book) => book.isbn13))).toEqual([])
})

test('no list has a title twice', () => {
  expect(repeated(books.map((book) => `${book.list}: ${book.title}`))).toEqual([])
})

test('every description is one readable sentence of its own', () => {
  expect(breaking(({ description }) => /^\p{L}.{38,238}\.$/u.test(description))).toEqual([])
  expect(repeated(books.map((book) => book.description))).toEqual([])
})

test('every date exists and no edition is older than its work', () => {
  expect(
    breaking(({ published }) => new Date(published).toISOString().startsWith(published)),
  ).toEqual([])
  expect(
    breaking(({ published, first_published }) => {
      const year = Number(published.slice(0, 4))
      return year >= 1950 && year <= thisYear && first_published <= year
    }),
  ).toEqual([])
})

test('every book has different genres, one of which names its kind', () => {
  expect(breaking(({ genres }) => repeated(genres).length === 0)).toEqual([])
  expect(
    breaking(({ list, genres }) =>
      list === 'classics'
        ? genres.includes('Classics')
        : genres.includes('Manga') !== genres.includes('Light Novel'),
    ),
  ).toEqual([])
})

test('what is told of series and authors is of those in the lists', () => {
  const series = new Set(books.flatMap((book) => (book.list === 'manga' ? book.series : [])))
  expect(Object.keys(starterSeries()).filter((name) => !series.has(name))).toEqual([])
  const authors = new Set(books.flatMap((book) => book.authors))
  expect(Object.keys(starterAuthors()).filter((name) => !authors.has(name))).toEqual([])
})

/** What is told of each series, and of each book beside that, by its name. */
const told = [
  ...Object.entries(starterSeries()).map(([name, entry]) => ({ name, other_titles: [], ...entry })),
  ...books.map((book) => ({ name: book.title, ...book, other_titles: book.other_titles ?? [] })),
]
/** The names of those that break a rule. */
const telling = (rule: (entry: (typeof told)[number]) => boolean) =>
  told.filter((entry) => !rule(entry)).map(({ name }) => name)

test('every classic and every series has a plot, people, places, a time and themes', () => {
  const series = starterSeries()
  expect(
    breaking((book) => {
      const entry = book.list === 'manga' ? series[book.series] : book
      return [entry?.plot, entry?.characters, entry?.places, entry?.time, entry?.themes].every(
        (part) => part !== undefined,
      )
    }),
  ).toEqual([])
})

test('every author with a name has it in another script or language, once', () => {
  const unnamed = ['Anonymous', 'CLAMP', 'ONE', 'Kei Ohishi']
  expect(
    Object.entries(starterAuthors())
      .filter(([name, names = []]) => names.includes(name) || repeated(names).length > 0)
      .map(([name]) => name),
  ).toEqual([])
  expect(
    breaking(({ authors }) =>
      authors.every((name) => unnamed.includes(name) || starterAuthors()[name] !== undefined),
    ),
  ).toEqual([])
})

test('every plot is told in three to five sentences of its own', () => {
  expect(
    telling(({ plot }) => {
      const sentences = plot?.split(/(?<=[.?!])\s+(?=\p{Lu})/u).length ?? 3
      return sentences >= 3 && sentences <= 5
    }),
  ).toEqual([])
  expect(repeated(told.flatMap(({ plot }) => plot ?? []))).toEqual([])
})

test('no person, place or theme is listed twice', () => {
  expect(
    telling(({ characters = [], places = [], themes = [] }) =>
      [characters, places, themes].every((list) => repeated(list).length === 0),
    ),
  ).toEqual([])
})

test('titles in other languages name a language that exists and stand once in it', () => {
  const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  expect(
    telling(({ titles = {} }) =>
      Object.entries(titles).every(
        ([language, title]) =>
          languages.of(language) !== undefined && repeated([title].flat()).length === 0,
      ),
    ),
  ).toEqual([])
})

test('the index has room for the titles of every book', () => {
  const max = 38
  expect(
    telling(
      ({ titles = {}, other_titles }) =>
        Object.values(titles).flat().length + other_titles.length <= max,
    ),
  ).toEqual([])
})

test('every language has a name to show', () => {
  expect(breaking(({ language }) => languageName(language, 'en') !== '')).toEqual([])
})

test.each([
  ['Frankenstein', 'Mary Shelley'],
  ['Pride and Prejudice', 'Jane Austen'],
  ['Dracula', 'Bram Stoker'],
  ['Don Quixote', 'Miguel de Cervantes'],
  ['Moby-Dick', 'Herman Melville'],
  ['The Odyssey', 'Homer'],
  ['War and Peace', 'Leo Tolstoy'],
  ['Les Misérables', 'Victor Hugo'],
  ['Kokoro', 'Natsume Sōseki'],
  ['Fullmetal Alchemist, Vol. 1', 'Hiromu Arakawa'],
])('%s by %s is there, in English and with its pages', (title, author) => {
  const book = named(title)
  expect(book?.authors).toContain(author)
  expect(book?.language).toBe('eng')
  expect(book?.pages).toBeGreaterThan(50)
})
