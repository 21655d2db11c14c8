import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { starterBooks } from '#catalogue/starter/starter.ts'
import { searchForm } from '#shared/search-form.ts'
import { toIsbn10 } from '#shared/isbn.ts'
import { openStarter } from '#tests/open-starter.ts'
import { openCatalogue } from './index.ts'

const { catalogue, folder } = await openStarter()

const find = (form: Record<string, unknown>) => catalogue.search(searchForm.parse(form))
const titles = async (form: Record<string, unknown>) =>
  (await find(form)).books.map((book) => book.title)

describe('the wanted book comes first', () => {
  test.each([
    ['its title', 'frankenstein', 'Frankenstein'],
    ['a title in capitals', 'PRIDE AND PREJUDICE', 'Pride and Prejudice'],
    ['swapped letters', 'frankenstien', 'Frankenstein'],
    ['a letter missing', 'frankenstin', 'Frankenstein'],
    ['a wrong letter', 'wuthering hights', 'Wuthering Heights'],
    ['two typos', 'crme and punishmnet', 'Crime and Punishment'],
    ['author and title', 'mary shelley frankenstein', 'Frankenstein'],
    ['title and author', 'frankenstein by mary shelley', 'Frankenstein'],
    ['title and author with a typo', 'dracula stokr', 'Dracula'],
    ['part of the title', 'monte cristo', 'The Count of Monte Cristo'],
    ['the beginning of a word', 'franken', 'Frankenstein'],
    ['words run together', 'prideandprejudice', 'Pride and Prejudice'],
    ['a word torn apart', 'full metal alchemist', 'Fullmetal Alchemist'],
    ['such a word alone', 'full metal', 'Fullmetal Alchemist'],
    ['a number in words', '100 years of solitude', 'One Hundred Years of Solitude'],
    ['a word still being typed', 'wuthering h', 'Wuthering Heights'],
    ['an author spelled wrong', 'tolkein', 'The Hobbit'],
    ['an author and a part', 'stranger camus', 'The Stranger'],
    ['a volume', 'attack on titan vol 1', 'Attack on Titan, Vol. 1'],
    ['a volume written short', 'bleach v10', 'Bleach, Vol. 10'],
    ['a volume in one word', 'death note vol3', 'Death Note, Vol. 3'],
    ['a series and a volume written short', 'fma 4', 'Fullmetal Alchemist, Vol. 4'],
    ['a volume by its number alone', 'death note 1', 'Death Note, Vol. 1'],
    ['words too many', 'dracula book', 'Dracula'],
    ['accents left out', 'les miserables', 'Les Misérables'],
    ['a hyphen left out', 'moby dick', 'Moby-Dick'],
    ['a hyphened title joined', 'mobydick', 'Moby-Dick'],
  ])('for %s: %s', async (_, q, title) => {
    expect((await titles({ q }))[0]).toContain(title)
  })

  test('for an author in another script', async () => {
    expect((await find({ q: 'Достоевский' })).books[0]?.authors).toEqual(['Fyodor Dostoevsky'])
    const [offered] = (await catalogue.suggest('достоев')).books
    expect(offered?.authors).toEqual(['Fyodor Dostoevsky'])
  })

  test('for another title while it is typed, own titles first', async () => {
    const offered = async (text: string) => (await catalogue.suggest(text)).books[0]?.title
    expect(await offered('shingeki no kyo')).toMatch(/^Attack on Titan/)
    expect(await offered('die verwandl')).toBe('The Metamorphosis')
    expect(await offered('デスノート')).toMatch(/^Death Note/)
    expect(await offered('emma')).toBe('Emma')
  })

  test.each<[text: string, series: string[], authors: string[]]>([
    ['expanse', ['The Expanse'], []],
    ['the expan', ['The Expanse'], []],
    ['the wheel of ti', ['Wheel of Time'], []],
    ['le guin', [], ['Ursula K. Le Guin']],
    ['ursula le gu', [], ['Ursula K. Le Guin']],
    ['jrr tolk', [], ['J. R. R. Tolkien']],
    ['frankenst', [], []],
    // A book of this name is better known than the series.
    ['emma', [], []],
  ])('for a series or an author while it is typed: %s', async (text, series, authors) => {
    const found = await catalogue.suggest(text)
    expect(found.series.map(({ name }) => name).slice(0, 1)).toEqual(series)
    expect(found.authors.map(({ name }) => name).slice(0, 1)).toEqual(authors)
  })

  test('for a series and an author by whole words', async () => {
    const first = await find({ q: 'expanse' })
    expect(first.series).toEqual([{ id: 'the-expanse', name: 'The Expanse' }])
    expect(first.authors).toBeUndefined()
    expect((await find({ q: 'le guin' })).authors).toEqual([
      { id: 'ursula-k-le-guin', name: 'Ursula K. Le Guin' },
    ])
    for (const q of ['expans', 'The Hobbit', 'a wizard goes to school'])
      expect(await find({ q })).not.toHaveProperty('series')
    expect(await find({ q: 'le guin', page: 2 })).not.toHaveProperty('authors')
  })

  test('not for a number alone, when the series is unknown', async () => {
    expect((await find({ q: 'zzqxw 4' })).books).toEqual([])
  })

  test('a strong match brings no relaxed ones with it', async () => {
    expect(await titles({ q: 'middlemarch' })).toEqual(['Middlemarch'])
  })

  test('nothing is shown for what nothing resembles', async () => {
    expect(await find({ q: 'qzxvkw jjwwqq' })).toEqual({ books: [], hasMoreResults: false })
    expect(await find({ q: '!!!???' })).toEqual({ books: [], hasMoreResults: false })
  })

  test('the language of the index cannot be spoken from outside', async () => {
    for (const q of ['"', '" OR "', 'title:x', 'a* AND (', 'NEAR(a b)', '{title} : x', '-- ;'])
      await expect(find({ q: `${q}   zzz` })).resolves.toBeDefined()
  })
})

describe('did you mean', () => {
  test.each([
    ['frankenstien', 'frankenstein'],
    ['crme and punishmnet', 'crime and punishment'],
    ['dracula stokr', 'dracula stoker'],
  ])('%s: %s', async (q, meant) => {
    expect((await find({ q })).did_you_mean).toBe(meant)
  })

  test.each(['frankenstein', 'wuthering h', 'mobydick', 'les miserables', 'lao tse', 'qzxvkw'])(
    'nothing of %s',
    async (q) => {
      expect(await find({ q })).not.toHaveProperty('did_you_mean')
    },
  )
})

describe('an ISBN', () => {
  const wanted = starterBooks().find((book) => book.title === 'Frankenstein')
  const isbn13 = wanted?.isbn13 ?? ''
  const isbn10 = toIsbn10(isbn13) ?? ''
  const hyphened = isbn13.replace(/^(...)(.)(..)(......)(.)$/, '$1-$2-$3-$4-$5')

  test.each([
    ['13 digits', isbn13],
    ['10 characters', isbn10],
    ['hyphens', hyphened],
    ['a prefix', `ISBN ${isbn13}`],
  ])('with %s finds its book', async (_, isbn) => {
    expect(await titles({ q: isbn })).toEqual(['Frankenstein'])
    expect(await titles({ isbn })).toEqual(['Frankenstein'])
    expect(await catalogue.byIsbn(isbn)).toMatchObject({
      id: `st${isbn13}`,
      title: 'Frankenstein',
      authors: ['Mary Shelley'],
      isbns: { ISBN_13: isbn13, ISBN_10: isbn10 },
      slug: `frankenstein-${isbn13}`,
      page_count: wanted?.pages,
    })
  })

  test('holds together with the other fields', async () => {
    expect(await titles({ isbn: isbn13, author: 'shelley' })).toEqual(['Frankenstein'])
    expect(await titles({ isbn: isbn13, author: 'austen' })).toEqual([])
  })

  test('that no book has finds nothing', async () => {
    expect(await titles({ q: '9780306406157' })).toEqual([])
    expect(await catalogue.byIsbn('9780306406157')).toBeNull()
    expect(await catalogue.byIsbn('frankenstein')).toBeNull()
  })
})

describe('the advanced fields', () => {
  test('author', async () => {
    const { books } = await find({ author: 'jane austen' })
    expect(books.length).toBeGreaterThan(2)
    for (const book of books) expect(book.authors).toContain('Jane Austen')
  })

  test('author with a typo', async () => {
    expect((await find({ author: 'dostoyevski' })).books[0]?.authors).toContain('Fyodor Dostoevsky')
  })

  test('title does not look at authors', async () => {
    expect(await titles({ title: 'middlemarch' })).toEqual(['Middlemarch'])
    expect(await titles({ title: 'dostoevsky' })).toEqual([])
  })

  test('title and author together', async () => {
    expect(await titles({ title: 'emma', author: 'austen' })).toEqual(['Emma'])
    expect(await titles({ title: 'emma', author: 'tolstoy' })).toEqual([])
  })

  test('genre means the whole genre', async () => {
    const { books } = await find({ genre: 'science fiction' })
    expect(books).toHaveLength(18)
    for (const book of books) expect(book.genres).toContain('Science Fiction')
  })

  test('publisher', async () => {
    const { books } = await find({ publisher: 'oxford university' })
    expect(books.length).toBeGreaterThan(0)
    for (const book of books) expect(book.publisher).toBe('Oxford University Press')
  })
})

describe('the exact phrase', () => {
  test('keeps the order of the words', async () => {
    expect(await titles({ q: 'monte cristo', by: '2' })).toEqual(['The Count of Monte Cristo'])
    expect(await titles({ q: 'cristo monte', by: '2' })).toEqual([])
  })

  test('guesses nothing', async () => {
    expect(await titles({ q: 'frankenstien', by: '2' })).toEqual([])
    expect(await titles({ q: 'frankenst', by: '2' })).toEqual([])
  })

  test('does not look at genres', async () => {
    expect(await titles({ q: 'science fiction', by: '2' })).toEqual([])
  })
})

/** Every page, asked for as the screen does. */
async function allPages(form: Record<string, unknown>) {
  const books = []
  for (let page = 1; page < 500; page++) {
    const answer = await find({ ...form, page })
    expect(answer.books.length).toBe(answer.hasMoreResults ? 18 : answer.books.length)
    books.push(...answer.books)
    if (!answer.hasMoreResults) return books
  }
  throw new Error('There is always another page.')
}

describe('pages', () => {
  test.each([
    ['by relevance', { genre: 'manga' }],
    ['newest first', { genre: 'manga', order: 'newest' }],
    ['of the exact phrase', { q: 'vol', title: 'volume', by: '2' }],
    ['of a stop word', { q: 'the' }],
  ])('%s show each book once and stop', async (_, form) => {
    const books = await allPages(form)
    expect(books.length).toBeGreaterThan(36)
    expect(new Set(books.map((book) => book.id)).size).toBe(books.length)
    expect((await find({ ...form, page: 1000 })).books).toEqual([])
  })

  test('hold every book of a genre', async () => {
    const wanted = starterBooks().filter((book) => book.genres.includes('Manga'))
    const books = await allPages({ genre: 'manga' })
    expect(books.map((book) => book.title).sort()).toEqual(wanted.map((book) => book.title).sort())
  })

  test('newest first go down by date', async () => {
    const dates = (await allPages({ genre: 'classics', order: 'newest' })).map(
      (book) => book.published_date,
    )
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('newest first corrects typos too', async () => {
    expect(await titles({ q: 'middelmarch', order: 'newest' })).toEqual(['Middlemarch'])
  })
})

describe('the curated sections', () => {
  test('hold sixty books each, classics apart from manga', async () => {
    const { classics, manga } = await catalogue.curated()
    expect([classics.length, manga.length]).toEqual([60, 60])
    for (const book of classics) expect(book.genres).not.toContain('Manga')
    for (const book of manga) expect(book.genres.join()).toMatch(/Manga|Light Novel/)
  })
})

describe('one book', () => {
  test('is found by its id', async () => {
    const [first] = (await catalogue.curated()).classics
    expect(await catalogue.byId(first?.id ?? '')).toEqual(first)
    expect(await catalogue.byId('st0')).toBeNull()
  })
})

describe('the index file', () => {
  const file = join(folder, 'catalogue.db')

  test('is kept when it is current', async () => {
    const before = statSync(file)
    const again = await openCatalogue({ folder, workers: 1 })
    await again.close()
    expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  test('is built anew when it is damaged, while who has it open reads on', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'octavo-catalogue-'))
    writeFileSync(join(damaged, 'catalogue.db'), readFileSync(file).fill(0, 0, 4096))
    const repaired = await openCatalogue({ folder: damaged, workers: 1 })
    const { books } = await repaired.search(searchForm.parse({ q: 'frankenstein' }))
    expect(books[0]?.title).toBe('Frankenstein')
    await repaired.close()
    rmSync(damaged, { recursive: true })
  })

  test('questions after closing are refused', async () => {
    const other = await openCatalogue({ folder, workers: 1 })
    await other.close()
    await expect(other.byId('st0')).rejects.toThrow('The catalogue is closed.')
  })
})
