import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openModel, type Model } from '#catalogue/index.ts'
import { modelTimeout } from '#catalogue/model/model.ts'
import { errorHandler } from '#server/http/errors.ts'
import type { Book } from '#shared/book.ts'
import { openLanguageModel, type LanguageModel } from '#tests/language-model.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { bookInfoRoutes, type BookInfoOptions } from './book-info.ts'

const catalogue = await openFederatedStarter()
let site: LanguageModel
let model: Model

beforeEach(async () => {
  site = await openLanguageModel()
  model = openModel({
    url: site.url,
    model: 'small-one',
    key: 'a-key',
    log: { warn: () => undefined },
  })
  onTestFinished(async () => {
    await model.close()
    await site.close()
  })
})

function serve(helpers: BookInfoOptions = { model }) {
  const app = new Hono().route('/api/v1', bookInfoRoutes(catalogue, helpers))
  app.onError(errorHandler(pino({ level: 'silent' })))
  return async (path: string) => {
    const response = await app.request(`/api/v1${path}`)
    return { status: response.status, body: await response.json() }
  }
}

const q = 'whale hunters far from home'
const described = `/book-info/described?q=${encodeURIComponent(q)}`
const titles = (books: Book[]) => books.map((book) => book.title)

test('shows a model’s suggestions only if the catalogue has them', async () => {
  site.say({
    titles: [
      { title: 'The Sea-Wolf of Nowhere', author: 'Nobody Atall' },
      { title: 'Billy Budd', author: 'Herman Melville' },
      { title: 'Moby Dick', author: 'Somebody Else' },
    ],
    authors: ['Joseph Conrad'],
    subjects: ['Adventure'],
    yearFrom: null,
    yearTo: null,
    language: 'eng',
  })
  const { status, body } = await serve()(described)
  expect(status).toBe(200)
  const shown = titles(body.data.books)
  expect(shown).toContain('Billy Budd, Sailor')
  expect(shown).toContain('Lord Jim')
  expect(shown).not.toContain('The Sea-Wolf of Nowhere')
  const billy = body.data.books.find((book: Book) => book.title === 'Billy Budd, Sailor')
  // A title with another author is another book.
  expect(body.data.named).toEqual([billy.id])
  expect(body.data.sent).toBe(q)
})

test('nothing but the sentence is sent, once for all who ask the same', async () => {
  site.say({ titles: [] })
  const get = serve()
  await Promise.all([get(described), get(described)])
  await get(described.replace('whale', 'WHALE'))
  expect(site.questions).toHaveLength(1)
  const [question] = site.questions
  expect(question?.authorization).toBe('Bearer a-key')
  expect(question?.body.model).toBe('small-one')
  expect(question?.body.messages.filter(({ role }) => role === 'user')).toEqual([
    { role: 'user', content: q },
  ])
})

function* endless() {
  for (;;) yield 'x'.repeat(65_536)
}

const habits: Record<string, (response: ServerResponse) => void> = {
  'answers 500': (response) => void response.writeHead(500).end('{}'),
  'sends a page': (response) => void response.writeHead(200).end('<!doctype html>'),
  'sends something else': (response) => void response.writeHead(200).end('{"choices": 7}'),
  'cuts the line': (response) => void response.destroy(),
  'never ends': (response) => {
    response.writeHead(200)
    Readable.from(endless())
      .on('error', () => undefined)
      .pipe(response)
  },
  'sends elsewhere': (response) =>
    void response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
}

test.each(Object.entries(habits))(
  'a model that %s changes nothing of the search',
  async (_, how) => {
    site.misbehave(how)
    const get = serve()
    expect((await get(described)).status).toBe(503)
    const search = await get(`/book-info/search?answers=known&q=${encodeURIComponent(q)}`)
    expect(search.status).toBe(200)
    expect(titles(search.body.data.books)).toContain('Moby-Dick')
    // It is asked anew, not remembered as silent.
    site.say({ titles: [] })
    expect((await get(described)).status).toBe(200)
  },
)

test.each<[string, (response: ServerResponse) => void]>([
  ['says nothing', () => undefined],
  ['stops in the middle', (response) => void response.writeHead(200).write('{"choices": [')],
])('a model that %s is waited for no longer than its time', async (_, how) => {
  site.misbehave(how)
  const told: string[] = []
  const hasty = openModel({
    url: site.url,
    model: 'small-one',
    timeout: 50,
    log: { warn: (line) => void told.push(line) },
  })
  onTestFinished(() => hasty.close())
  expect((await serve({ model: hasty })(described)).status).toBe(503)
  expect(told).toEqual(['The model does not answer: TimeoutError'])
  expect(JSON.stringify(told)).not.toContain('whale')
  expect(modelTimeout).toBe(8000)
})

test.each(['no JSON at all', '{"titles": "Emma", "subjects": [7, null], "yearFrom": "long ago"}'])(
  'an idea that is %s invents nothing',
  async (content) => {
    site.say(content)
    const { status, body } = await serve()(described)
    expect([200, 503]).toContain(status)
    expect(body.data.named ?? []).toEqual([])
  },
)

test('JSON in the wrapping that models like is understood', async () => {
  site.say('Here you are:\n```json\n{"titles": [{"title": "Emma", "author": "Jane Austen"}]}\n```')
  const { body } = await serve()(described)
  expect(titles(body.data.books)).toContain('Emma')
})

test('a reader may ask two times a second, and others are not held up by it', async () => {
  site.say({ titles: [] })
  let who = 'one'
  const get = serve({ model, viewerKey: async () => who })
  const tries = await Promise.all([get(described), get(described), get(described)])
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429])
  who = 'other'
  expect((await get(described)).status).toBe(200)
})

test('a search names the model it could ask, if there is one', async () => {
  const search = `/book-info/search?answers=known&q=${encodeURIComponent(q)}`
  const asked = await serve()(search)
  expect(asked.body.data.model).toEqual({ name: 'small-one', host: new URL(site.url).host })
  expect(site.questions).toEqual([])
  const without = serve({})
  expect((await without(search)).body.data.model).toBeUndefined()
  expect((await without(described)).status).toBe(404)
})

test('a search says why books answer a description, and what was meant by a typo', async () => {
  const found = await serve()(
    `/book-info/search?answers=known&q=${encodeURIComponent('sailor hunting a white whale')}`,
  )
  const [moby] = found.body.data.books
  expect(found.body.data.matches[moby.id].sentence).toContain('white whale')
  const meant = await serve()('/book-info/search?answers=known&q=frankenstien')
  expect(meant.body.data.did_you_mean).toBe('frankenstein')
})

test('more like a book is what stands on the same to-read lists, before any reader is here', async () => {
  const get = serve({})
  const book = await catalogue.byIsbn('9780061120084')
  const { books, listed, readers } = (await get(`/book-info/${book?.id}/similar`)).body.data
  expect(titles(books)).toContain('The Great Gatsby')
  expect(books).toHaveLength(12)
  expect(listed).toEqual(books.map(({ id }: { id: string }) => id))
  expect(readers).toEqual({})
})

test('more like a book is what is about the same, not another volume of it', async () => {
  const get = serve({})
  const book = await catalogue.byIsbn('9780393964585')
  const { status, body } = await get(`/book-info/${book?.id}/similar`)
  expect(status).toBe(200)
  expect(titles(body.data.books)).toContain('Dracula')
  expect(titles(body.data.books)).not.toContain('Frankenstein')
  expect((await get('/book-info/st0/similar')).status).toBe(404)
  const naruto = (await get('/book-info/search?answers=known&q=naruto')).body.data.books[0]
  const others = (await get(`/book-info/${naruto.id}/similar`)).body.data.books
  expect(titles(others).filter((title) => title.startsWith('Naruto'))).toEqual([])
})
