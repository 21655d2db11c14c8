import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { CatalogueBusy, type FederatedCatalogue } from '#catalogue/index.ts'
import { errorHandler } from '#server/http/errors.ts'
import type { Book, SearchResult } from '#shared/book.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { bookInfoRoutes } from './book-info.ts'
import { translated } from './translated.fixture.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())
const catalogue = await openFederatedStarter({
  sources: ['openlibrary', 'google'],
  openLibraryUrl: sites.openLibraryUrl,
  googleBooksUrl: sites.googleBooksUrl,
})

function serve(from: FederatedCatalogue) {
  const app = new Hono().route('/api/v1', bookInfoRoutes(from))
  app.onError(errorHandler(pino({ level: 'silent' })))
  return app
}

async function get(path: string, from: FederatedCatalogue = catalogue) {
  const response = await serve(from).request(`/api/v1${path}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('search', () => {
  test('answers books and whether there are more', async () => {
    const { status, body } = await get('/book-info/search?q=middlemarch')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: {
        books: [{ title: 'Middlemarch', authors: ['George Eliot'] }],
        hasMoreResults: false,
      },
    })
  })

  test('prefers the language the browser asks for, and tells caches so', async () => {
    const ask = async (language: string) =>
      serve(catalogue).request('/api/v1/book-info/search?q=hauntings of umbrefell', {
        headers: { 'Accept-Language': language },
      })
    const shown = async (language: string) => {
      const { data } = (await (await ask(language)).json()) as { data: SearchResult }
      return data.books[0]?.title
    }
    await catalogue.learn('openlibrary', [
      translated({ OL901M: ['eng', 'Hauntings of Umbrefell'], OL902M: ['fre', 'Les Hantises'] }),
    ])
    expect(await shown('fr-CH, en;q=0.5')).toBe('Les Hantises')
    expect(await shown('en')).toBe('Hauntings of Umbrefell')
    expect((await ask('fr')).headers.get('vary')).toContain('Accept-Language')
  })

  test('answers an empty page when nothing is found', async () => {
    const { status, body } = await get('/book-info/search?q=qzxvkw')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          books: [],
          hasMoreResults: false,
          sources: { openlibrary: 'answered', google: 'answered' },
        },
      },
    })
  })

  test('says when no book is called so, and which words were left out', async () => {
    const { body } = await get('/book-info/search?q=Transcendent+Kingdom')
    expect(body.data).toMatchObject({ absent: true, left_out: ['Transcendent'] })
    expect(body.data.books.length).toBeGreaterThan(0)
    const found = await get('/book-info/search?q=middlemarch')
    expect(Object.keys(found.body.data)).toEqual(['books', 'hasMoreResults', 'sources'])
  })

  test('pages by 18', async () => {
    const first = await get('/book-info/search?genre=manga&page=1&limit=18&after=')
    const second = await get('/book-info/search?genre=manga&page=2&limit=18')
    const ids = [first, second].map(({ body }) => body.data.books.map((book: Book) => book.id))
    expect(ids.map((page) => page.length)).toEqual([18, 18])
    expect(new Set(ids.flat()).size).toBe(36)
    expect(first.body.data.hasMoreResults).toBe(true)
  })

  test('one character of Chinese or Japanese is a word', async () => {
    const { status } = await get(`/book-info/search?q=${encodeURIComponent('名')}`)
    expect(status).toBe(200)
  })

  test('fewer letters are a search when they are the whole title of a book', async () => {
    for (const [q, title] of [
      ['Ад', 'Inferno'],
      ['x', 'X/1999, Vol. 1: Prelude'],
    ] as const) {
      const { status, body } = await get(`/book-info/search?q=${encodeURIComponent(q)}`)
      expect([status, body.data?.books[0].title]).toEqual([200, title])
    }
    const none = await get('/book-info/search?q=ab&short_text=none')
    expect([none.status, none.body.data.books]).toEqual([200, []])
  })

  test.each([
    ['', 'q', 'Search field and advanced filters both cannot be empty.'],
    ['q=++&title=', 'q', 'Search field and advanced filters both cannot be empty.'],
    ['q=ab', 'q', 'Search text must be at least 3 characters long.'],
    ['q={256}', 'q', 'Search text must be less than 255 characters.'],
    ['q=emma&limit=5', 'limit', 'A page has 18 books.'],
    ['title=a', 'title', 'Title must be at least 2 characters long.'],
    ['title={256}', 'title', 'Title must be less than 255 characters.'],
    ['author=a', 'author', 'Author must be at least 2 characters long.'],
    ['author={256}', 'author', 'Author must be less than 255 characters.'],
    ['publisher=a', 'publisher', 'Publisher must be at least 2 characters long.'],
    ['publisher={256}', 'publisher', 'Publisher must be less than 255 characters.'],
    ['genre=a', 'genre', 'Genre must be at least 2 characters long.'],
    ['genre={256}', 'genre', 'Genre must be less than 255 characters.'],
    ['isbn=978014143951', 'isbn', 'ISBN must be a valid 10 or 13-digit number.'],
  ])('refuses %s', async (query, field, message) => {
    const { status, body } = await get(
      `/book-info/search?${query.replace('{256}', 'x'.repeat(256))}`,
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      data: { [field]: { code: 'validation_invalid_value', message } },
      message: 'An error occurred while validating the submitted data.',
      status: 400,
    })
  })

  test.each(['search', 'offers', 'sources', 'isbn/9780141439519'])(
    '%s: no book has an ISBN with a wrong check digit',
    async (call) => {
      const { status, body } = await get(`/book-info/${call}?isbn=9780141439519`)
      expect(status).toBe(404)
      expect(body.data.isbn.message).toBe('ISBN must be a valid 10 or 13-digit number.')
    },
  )

  test('no book has the id that `after` names', async () => {
    const { status, body } = await get('/book-info/search?q=emma&after=nowhere')
    expect(status).toBe(404)
    expect(body.data.after.message).toBe(
      'No book of the catalogue has this id. Leave it out to go by the page.',
    )
  })

  test.each(['q=abc', `q=${'x'.repeat(255)}`, 'title=ab', `genre=${'x'.repeat(255)}`, 'q=心中'])(
    'takes %s, at the limit',
    async (query) => {
      expect((await get(`/book-info/search?${query}`)).status).toBe(200)
    },
  )

  test.each([
    'by=3',
    'order=oldest',
    'page=0',
    'page=x',
    'page=1.5',
    'page=0x10',
    'page=1e1',
    'page=',
    'page=1001',
    'q=abd',
  ])('names the field that is wrong in %s', async (query) => {
    const { status, body } = await get(`/book-info/search?q=abc&${query}`)
    expect(status).toBe(400)
    expect(Object.keys(body.data)).toEqual([query.split('=')[0]])
  })
})

describe('one book', () => {
  test.each([
    '/book-info/isbn/9780141439518',
    '/book-info/isbn/0-14-143951-3',
    '/book-info/st9780141439518',
  ])('answers %s', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body.data.book).toMatchObject({
      id: 'st9780141439518',
      title: 'Pride and Prejudice',
      isbns: { ISBN_10: '0141439513', ISBN_13: '9780141439518' },
      slug: 'pride-and-prejudice-9780141439518',
    })
  })

  test('an unknown ISBN is no error if the client asks for null', async () => {
    const { status, body } = await get('/book-info/isbn/9780306406157?unknown=null')
    expect([status, body]).toEqual([200, { data: { book: null } }])
  })

  test.each(['/book-info/isbn/9780306406157', '/book-info/st0', '/book-info/%22%20OR%201'])(
    'reports that %s does not exist',
    async (path) => {
      expect(await get(path)).toMatchObject({
        status: 404,
        body: { data: {}, message: "The requested resource wasn't found.", status: 404 },
      })
    },
  )

  test('refuses an invalid ISBN', async () => {
    const { status, body } = await get('/book-info/isbn/frankenstein')
    expect(status).toBe(400)
    expect(body.data.isbn.message).toBe('ISBN must be a valid 10 or 13-digit number.')
  })

  test.each([
    ['<p>One.</p><p>Two.<br/>Three</p>', 'One. Two. Three'],
    ['One<br><br />two <BR> three', 'One two  three'],
    ['a <b>bold</b> <pre>claim</pre>', 'a <b>bold</b> <pre>claim</pre>'],
  ])('shows %s as text', async (description, text) => {
    const id = `tagged${text.length}`
    const edition = { id, ids: {}, image_links: [], page_count: 0, published_date: '' }
    await catalogue.learn('google', [
      {
        title: `The Tags of ${id}`,
        other_titles: [],
        authors: ['Tilda Angle'],
        genres: [],
        description,
        readers: 0,
        editions: [{ ...edition, publisher: '', language: 'eng' }],
      },
    ])
    const { body } = await get(`/book-info/${id}`)
    expect(body.data.book.description).toBe(text)
    const found = await get(`/book-info/search?q=${id}&answers=known`)
    expect(found.body.data.books[0].description).toBe(text)
  })
})

describe('offers and sources', () => {
  test('answer links for a book', async () => {
    const query = 'title=Emma&author=Jane+Austen&isbn=9780141439587'
    const offers = await get(`/book-info/offers?${query}`)
    expect(offers.status).toBe(200)
    expect(offers.body.data.offers).toContainEqual({
      store: 'Audible',
      kind: 'store',
      links: { audio_book: 'https://www.audible.com/search?keywords=Emma%20Jane%20Austen' },
    })
    const sources = await get(`/book-info/sources?${query}`)
    expect(sources.body.data.sources).toHaveLength(2)
  })

  test.each(['offers', 'sources'])('%s refuse a question without title and ISBN', async (path) => {
    const { status, body } = await get(`/book-info/${path}?author=x`)
    expect(status).toBe(400)
    expect(body.data.title.message).toBe('Title is required and cannot be empty.')
    expect((await get(`/book-info/${path}?isbn=12`)).body.data.isbn.message).toBe(
      'ISBN must be a valid 10 or 13-digit number.',
    )
  })
})

test('every call is described, with what it is asked and what it answers', () => {
  const { paths = {} } = bookInfoRoutes(catalogue).getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Octavo', version: '1' },
  })
  const told = Object.entries(paths).map(([path, { get: call }]) => ({
    path: path.replace('/book-info/', ''),
    parameters: call?.parameters?.map((each) => 'name' in each && each.name).toSorted(),
    answers: Object.keys(call?.responses ?? {}).join(' '),
  }))
  const asked: Record<string, [parameters: string, answers: string]> = {
    search: [
      'after answers author by genre isbn limit mode order page publisher q short_text title',
      '200 404',
    ],
    described: ['q', '200 404'],
    '/series/{id}': ['id', '200 301 404'],
    '/authors/{id}': ['id page', '200 301 404'],
    '{id}/similar': ['id', '200 404'],
    'isbn/{isbn}': ['isbn unknown', '200 404'],
    offers: ['author country isbn title', '200 404'],
    sources: ['author country isbn title', '200 404'],
    '{id}': ['id', '200 404'],
    '{id}/editions': ['id', '200 404'],
    '/explore': ['limit', '200'],
  }
  expect(told).toEqual(
    Object.entries(asked).map(([path, [parameters, answers]]) => ({
      path,
      answers,
      parameters: parameters.split(' '),
    })),
  )
})

test('explore answers both curated sections, cacheable by anyone', async () => {
  const { status, headers, body } = await get('/explore')
  expect(status).toBe(200)
  expect(Object.keys(body.data)).toEqual(['classics', 'manga'])
  expect(body.data.classics[0]).toMatchObject({
    title: expect.any(String),
    slug: expect.any(String),
  })
  expect(headers.get('cache-control')).toBe('public, max-age=300')
})

test('explore answers the first of each section', async () => {
  const whole = (await get('/explore')).body.data
  expect((await get('/explore?limit=1')).body.data).toEqual({
    classics: whole.classics.slice(0, 1),
    manga: whole.manga.slice(0, 1),
  })
  for (const limit of ['0', '-1', '1.5', 'all', ''])
    expect((await get(`/explore?limit=${limit}`)).status).toBe(400)
})

test('a busy catalogue answers with Retry-After', async () => {
  const busy = { ...catalogue, byId: () => Promise.reject(new CatalogueBusy('full')) }
  const { status, headers, body } = await get('/book-info/st9780141439518', busy)
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('2')
  expect(body.message).toBe('The catalogue is busy. Please try again in a moment.')
})

test('a failing catalogue reveals no internals', async () => {
  const broken = { ...catalogue, byId: () => Promise.reject(new Error('disk at /data failed')) }
  const { status, body } = await get('/book-info/st9780141439518', broken)
  expect(status).toBe(500)
  expect(JSON.stringify(body)).not.toContain('disk')
})
