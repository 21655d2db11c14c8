import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { errorHandler } from '#server/http/errors.ts'
import type { AuthorBooks, SeriesBooks } from '#shared/series.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { bookInfoRoutes } from './book-info.ts'
import { seriesRoutes } from './series.ts'

const catalogue = await openFederatedStarter()
const routes = new Hono().route('/', bookInfoRoutes(catalogue))
routes.onError(errorHandler(pino({ level: 'silent' })))

async function get(path: string) {
  const response = await routes.request(path)
  const { data } = (await response.json()) as { data: SeriesBooks & AuthorBooks }
  return { status: response.status, data }
}

const orderOf = async (id: string) =>
  (await get(`/series/${id}`)).data.entries.map(({ position, book }) => [position, book.title])

test('Harry Potter comes in order, and boxed sets behind', async () => {
  const { data } = await get('/series/harry-potter')
  expect(data.series).toEqual({
    id: 'harry-potter',
    name: 'Harry Potter',
    authors: ['J.K. Rowling'],
  })
  expect(data.entries.map(({ position }) => position)).toEqual(
    '1 2 3 4 5 6 7 8 1-4 1-5 1-6 1-7'.split(' '),
  )
  expect(data.entries[0]?.book.title).toBe("Harry Potter and the Sorcerer's Stone")
  expect(data.entries[7]?.book.title).toMatch(/^Harry Potter and the Cursed Child/)
})

/** The first books of well-known series, by hand. */
const wellKnown: Record<string, string[]> = {
  'the-hunger-games': ['The Hunger Games', 'Catching Fire', 'Mockingjay'],
  'the-lord-of-the-rings': [
    'The Fellowship of the Ring',
    'The Two Towers',
    'The Return of the King',
  ],
  'chronicles-of-narnia': ['The Lion, the Witch, and the Wardrobe', 'Prince Caspian'],
  'a-song-of-ice-and-fire': ['A Game of Thrones', 'A Clash of Kings', 'A Storm of Swords'],
  'the-expanse': ['Leviathan Wakes', "Caliban's War", "Abaddon's Gate", 'Cibola Burn'],
  'dune-chronicles': ['Dune', 'Dune Messiah', 'Children of Dune'],
  foundation: ['Foundation', 'Foundation and Empire', 'Second Foundation'],
  twilight: ['Twilight', 'Midnight Sun', 'New Moon', 'Eclipse'],
  'percy-jackson-and-the-olympians': ['The Lightning Thief'],
  millennium: ['The Girl with the Dragon Tattoo', 'The Girl Who Played with Fire'],
  discworld: ['The Color of Magic', 'The Light Fantastic', 'Equal Rites', 'Mort', 'Sourcery'],
  'his-dark-materials': ['The Golden Compass', 'The Subtle Knife', 'The Amber Spyglass'],
  'robert-langdon': ['Angels & Demons', 'The Da Vinci Code', 'The Lost Symbol', 'Inferno'],
  'fullmetal-alchemist': ['Fullmetal Alchemist, Vol. 1', 'Fullmetal Alchemist, Vol. 2'],
}

test.each(Object.entries(wellKnown))('%s begins in order', async (id, titles) => {
  const order = await orderOf(id)
  expect(order.slice(0, titles.length).map(([, title]) => title)).toEqual(titles)
})

test('a book names its authors and its series, by ids that lead to them', async () => {
  const [book] = (await get('/series/the-hunger-games')).data.entries.map((entry) => entry.book)
  expect(book?.series).toEqual([
    { id: 'the-hunger-games', name: 'The Hunger Games', position: '1' },
  ])
  expect(book?.author_ids).toEqual(['suzanne-collins'])
  const { data } = await get(`/authors/${book?.author_ids?.[0]}`)
  expect(data.author).toEqual({ id: 'suzanne-collins', name: 'Suzanne Collins' })
  expect(data.books[0]?.title).toBe('The Hunger Games')
})

test('an author is one however initials are written, and books are on one page only', async () => {
  const { data } = await get('/authors/j-r-r-tolkien')
  const titles = data.books.map(({ title }) => title)
  expect(titles).toEqual(
    expect.arrayContaining(['The Hobbit', 'The Fellowship of the Ring', 'The Silmarillion']),
  )
  const king = [await get('/authors/stephen-king'), await get('/authors/stephen-king?page=2')]
  expect(king.map(({ data }) => data.books.length)).toEqual([24, 24])
  const ids = king.flatMap(({ data }) => data.books.map(({ id }) => id))
  expect(new Set(ids).size).toBe(48)
})

test('an author’s page says how many books there are on all of them', async () => {
  const first = await get('/authors/stephen-king')
  let counted = 0
  for (let page = 1, hasMore = true; hasMore; page++) {
    const { data } = await get(`/authors/stephen-king?page=${page}`)
    expect(data.total).toBe(first.data.total)
    counted += data.books.length
    hasMore = data.hasMore
  }
  expect(first.data.total).toBe(counted)
  expect((await get('/authors/stephen-king?page=50')).data.total).toBe(counted)
})

test('an author is redirected from another name, with the page that was asked for', async () => {
  const response = await routes.request('/authors/джейн-остин?page=2')
  expect(response.status).toBe(301)
  expect(response.headers.get('location')).toBe('/api/v1/authors/jane-austen?page=2')
  const { data } = (await response.json()) as { data: AuthorBooks }
  expect(data.author.name).toBe('Jane Austen')
})

test('a series is redirected from its former id', async () => {
  const moved = { ...catalogue, series: async () => catalogue.series('the-expanse') }
  const response = await new Hono().route('/', seriesRoutes(moved)).request('/series/expanse')
  expect(response.status).toBe(301)
  expect(response.headers.get('location')).toBe('/api/v1/series/the-expanse')
})

test('series of one name are two', async () => {
  expect((await get('/series/after')).data.series.authors).toEqual(['Anna Todd'])
  expect((await get('/series/after--william-r-forstchen')).data.entries).toHaveLength(1)
})

test.each(['/series/canary', '/series/%20', '/authors/canary', '/authors/jane', '/authors/%22'])(
  '%s is nothing that there is',
  async (path) => {
    expect((await routes.request(path)).status).toBe(404)
  },
)

test('a page of an author is a number', async () => {
  expect((await routes.request('/authors/jane-austen?page=0')).status).toBe(400)
})
