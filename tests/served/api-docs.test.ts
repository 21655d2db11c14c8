import { describe, expect, it } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { openVisitor } from '#tests/browser.ts'
import type { ApiDocument, JsonSchema } from '#server/http/api-document.ts'

const { octavo, post } = await openOctavo({ RATE_LIMITS: 'off' })
const token = await signUp(octavo, post, 'ann')
const ann = signedIn(octavo, token)
const description = (await (
  await fetch(`${octavo.url}/api/docs/openapi.json`)
).json()) as ApiDocument
const { paths, components } = description

const records = (collection: string) => `/api/collections/${collection}/records`
const bodyOf = (collection: string, method: 'post' | 'patch') => {
  const path = method === 'post' ? records(collection) : `${records(collection)}/{id}`
  return paths[path]![method]!.requestBody!.content['application/json']!.schema!
}

it('describes the records and the product’s own calls in one document', async () => {
  const product = (await (await fetch(`${octavo.url}/api/v1/openapi.json`)).json()) as ApiDocument
  for (const path of Object.keys(product.paths)) expect(paths).toHaveProperty([`/api/v1${path}`])
  expect(Object.keys(paths[records('user_books')]!)).toEqual(['get', 'post'])
  expect(Object.keys(paths[`${records('user_books')}/{id}`]!)).toEqual(['get', 'patch', 'delete'])
  // Nobody writes profiles, and nobody creates entries of a timeline.
  expect(paths[records('profile')]).not.toHaveProperty('post')
  expect(JSON.stringify(description)).not.toMatch(/tokenKey|title_words/)
})

it('has the limits of fields', () => {
  const { properties = {} } = bodyOf('user_books', 'post')
  expect(properties['title']).toMatchObject({ type: 'string', minLength: 1, maxLength: 500 })
  expect(properties['rating']).toMatchObject({ minimum: 0, maximum: 10 })
  expect(properties['notes']).toMatchObject({ type: 'string', maxLength: 20_000 })
  expect(properties['user']).toMatchObject({ type: 'string' })
  expect(properties).not.toHaveProperty('progress_average')
  expect(bodyOf('api_tokens', 'patch').properties).not.toHaveProperty('scope')
  expect(bodyOf('user_books', 'post').required).toEqual(['shelf', 'title', 'status'])
  expect(bodyOf('users', 'post').required).toEqual(['email', 'password', 'passwordConfirm'])
})

it('has the shape of what webhooks, connections and tokens are made of', () => {
  const { properties: webhook = {}, required } = bodyOf('webhooks', 'post')
  expect(required).toEqual(['url', 'events'])
  expect(webhook['events']).toMatchObject({
    type: 'array',
    minItems: 1,
    items: { enum: expect.arrayContaining(['book.added', 'quote.added']) as string[] },
  })
  const connection = bodyOf('connections', 'post')
  expect(connection.required).toEqual(['kind', 'name'])
  expect(connection.properties?.['token']).toMatchObject({ minLength: 1, maxLength: 2000 })
  const { properties: made = {}, required: needed } = bodyOf('api_tokens', 'post')
  expect(needed).toEqual(['name', 'scope'])
  expect(made['collections']?.anyOf).toContainEqual({ type: 'array', items: { type: 'string' } })
})

it('says how short the text of a search may be', async () => {
  const [query] = paths['/api/v1/book-info/search']!['get']!.parameters!
  expect(query!.schema!.properties!['q']!.description).toMatch(/^At least 3 characters/)
  const refused = await fetch(`${octavo.url}/api/v1/book-info/search?q=zq`)
  expect(refused.status).toBe(400)
})

/** A value that the schema allows, as long or as large as it may be; undefined if it says nothing. */
function largest(schema: JsonSchema): unknown {
  if (schema.enum) return schema.enum.at(-1)
  if (typeof schema['maxLength'] === 'number') return 'x'.repeat(schema['maxLength'])
  return schema['maximum']
}

describe('what it says of a book is so', async () => {
  const { id: shelf } = await ann
    .collection('bookshelves')
    .create({ name: 'By the window', visibility: 'public' })
  const books = ann.collection('user_books')
  const { id } = await books.create({ shelf, title: 'Emma', status: 'planning' })
  const { properties = {} } = bodyOf('user_books', 'patch')
  const limited = Object.entries(properties).filter(
    ([, one]) => typeof one['maxLength'] === 'number' || typeof one['maximum'] === 'number',
  )

  // A format of its own, or a value that another field limits, says more than the largest does.
  const bound = new Set(['isbn', 'published', 'progress', 'progress_minutes', 'progress_percent'])

  it.each(limited.filter(([name]) => !bound.has(name)))('%s', async (name, schema) => {
    const most = largest(schema)
    expect(await books.update(id, { [name]: most })).toHaveProperty(name, most)
    const more = typeof most === 'string' ? `${most}x` : Number(most) + 1
    await expect(books.update(id, { [name]: more })).rejects.toMatchObject({ status: 400 })
  })
})

it('names every record field that an answer has', async () => {
  const [book] = await ann.collection('user_books').getFullList()
  const known = Object.keys(components.schemas['user_books']!.properties!)
  expect(Object.keys(book!).filter((name) => !known.includes(name))).toEqual([])
})

it.each([
  ['/u/{username}/feed.atom', 404],
  ['/u/{username}/calendar.ics', 404],
  ['/shelf/{id}/feed.atom', 404],
  ['/feeds/{secret}.atom', 404],
  ['/feeds/{secret}.ics', 404],
  ['/mcp', 401],
])('describes %s, which refuses strangers', async (path, status) => {
  const [[method, described]] = Object.entries(paths[path]!) as [[string, object]]
  const address = path.replace(/\{\w+\}/, 'nothing')
  const answer = await fetch(octavo.url + address, { method })
  expect(answer.status).toBe(status)
  expect(described).toHaveProperty(['responses', String(status)])
})

it('is a page that needs nothing from elsewhere', async () => {
  const { page } = await openVisitor(octavo.url, { viewport: { width: 390, height: 844 } })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  await page.goto('/api/docs')
  await page.getByRole('heading', { name: 'The API' }).waitFor()
  expect(new Set(asked)).toEqual(new Set([new URL(octavo.url).host]))
  const create = page.locator('details', { hasText: `POST ${records('user_books')}` }).first()
  await create.locator('summary').click()
  await create.getByText('at most 500 characters').first().waitFor()
  expect(await page.evaluate(() => globalThis.document.documentElement.scrollWidth)).toBe(390)
})
