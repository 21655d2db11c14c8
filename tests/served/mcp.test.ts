import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it, onTestFinished } from 'vitest'
import { openOctavo } from '#tests/open-octavo.ts'
import { ownRecord, signedIn, signUp } from '#tests/signed-in.ts'

const { octavo, post } = await openOctavo({ RATE_LIMITS: 'off' })
const session = await signUp(octavo, post, 'ann')
const ann = signedIn(octavo, session)
const { id: user } = await ownRecord(ann)
const { id: shelf } = await ann
  .collection('bookshelves')
  .create({ name: 'By the window', visibility: 'public' })

const newToken = async (given: object = {}) =>
  ann
    .collection('api_tokens')
    .create<{ id: string; token: string }>({ name: 'Assistant', scope: 'write', ...given })
const { token } = await newToken()

const address = new URL('/mcp', octavo.url)
const signed = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

async function connect(key = token, year: 2025 | 2026 = 2026) {
  const about = { name: 'tests', version: '1' }
  const client = year === 2026 ? new Client(about) : new Client2025(about)
  const transport =
    year === 2026
      ? new StreamableHTTPClientTransport(address, signed(key))
      : new Transport2025(address, signed(key))
  // The two packages have classes of the same shape.
  await (client as Client).connect(transport)
  onTestFinished(() => client.close())
  return client as Client
}

interface Answer {
  isError?: boolean
  content: { text: string }[]
}

/** @returns what a tool answers; a refusal is `{ refused }` */
async function use(client: Client, name: string, given: object = {}) {
  const called = await client.callTool({ name, arguments: given as Record<string, unknown> })
  const { isError = false, content } = called as unknown as Answer
  const { text } = content[0]!
  return (isError ? { refused: text } : JSON.parse(text)) as Record<string, any>
}

const readTools = ['search_books', 'my_books', 'my_shelves', 'statistics', 'my_quotes']

it.each([2026, 2025] as const)('does a reader’s day for a client of %s', async (year) => {
  const client = await connect(token, year)
  const { tools } = await client.listTools()
  expect(tools.length).toBeLessThanOrEqual(10)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(readTools))
  for (const { description = '', annotations } of tools) {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(annotations).toMatchObject({ destructiveHint: false })
  }

  const found = await use(client, 'search_books', { query: 'frankenstein' })
  const [book] = found['books'] as { id: string; title: string }[]
  expect(book!.title).toMatch(/^Frankenstein/)
  const { shelves } = await use(client, 'my_shelves')
  expect(shelves).toContainEqual(expect.objectContaining({ id: shelf, name: 'By the window' }))
  const added = await use(client, 'add_book', { id: book!.id, shelf, status: 'reading' })
  expect(added).toMatchObject({ title: book!.title, status: 'reading', shelf: 'By the window' })

  expect(await use(client, 'set_page', { book: added['id'], page: 57 })).toMatchObject({ page: 57 })
  const quote = { book: added['id'], text: `I am malicious because I am miserable, ${year}` }
  await use(client, 'add_quote', { ...quote, page: 140, private: true })
  const { quotes } = await use(client, 'my_quotes', { book: added['id'], text: String(year) })
  expect(quotes).toMatchObject([{ text: quote.text, page: 140 }])

  const finishedIn = String(year - 7)
  const done = { book: added['id'], finished: `${finishedIn}-03`, rating: 9 }
  expect(await use(client, 'finish_book', done)).toMatchObject({ status: 'completed', rating: 9 })
  await use(client, 'rate_book', { book: added['id'], review: 'Cold.' })
  const { books, total } = await use(client, 'my_books', { status: 'completed', text: 'franken' })
  expect(books).toMatchObject([{ id: added['id'], rating: 9 }])
  expect(total).toBe(1)
  for (const asked of [finishedIn, Number(finishedIn)]) {
    const { figures } = await use(client, 'statistics', { year: asked })
    expect(figures).toContainEqual(expect.objectContaining({ id: 'books', value: 1 }))
  }

  const record = await ann.collection('user_books').getOne(String(added['id']))
  expect(record).toMatchObject({ user, rating: 9, review: 'Cold.', shelf })
  await ann.collection('user_books').delete(record.id)
})

it('says what the API refuses, and what was asked for wrongly', async () => {
  const client = await connect()
  expect(await use(client, 'add_book', { shelf, title: '' })).toHaveProperty('refused')
  const { books } = await use(client, 'search_books', { query: 'emma austen' })
  const { id: emma } = await use(client, 'add_book', { shelf, id: books[0].id })
  const twice = await use(client, 'add_book', { shelf, id: books[0].id })
  expect(twice['refused']).toContain('already')
  const both = { book: emma, page: 1, percent: 2 }
  expect((await use(client, 'set_page', both))['refused']).toContain('exactly one')
  const nobodys = { book: 'nobodysbook0000', page: 1 }
  expect((await use(client, 'set_page', nobodys))['refused']).toContain('Find it with my_books.')
  const unknown = { shelf, id: 'nosuchbook' }
  expect((await use(client, 'add_book', unknown))['refused']).toContain('search_books')
})

it('never reaches what is another reader’s', async () => {
  const ben = signedIn(octavo, await signUp(octavo, post, 'ben'))
  const own = await ben.collection('bookshelves').create({ name: 'Diaries', visibility: 'private' })
  const secret = await ben
    .collection('user_books')
    .create({ shelf: own.id, title: 'My secret diary', authors: [], status: 'reading' })
  const client = await connect()
  expect(JSON.stringify(await use(client, 'my_books', { text: 'secret' }))).not.toContain(secret.id)
  expect(JSON.stringify(await use(client, 'my_books', { shelf: own.id }))).not.toContain(secret.id)
  expect(await use(client, 'set_page', { book: secret.id, page: 3 })).toHaveProperty('refused')
  expect(await use(client, 'my_quotes', { book: secret.id })).toHaveProperty('refused')
  const there = { shelf: own.id, title: 'Not mine' }
  expect(await use(client, 'add_book', there)).toHaveProperty('refused')
  const injected = { text: '" || user != "' }
  expect(await use(client, 'my_books', injected)).toMatchObject({ books: [], total: 0 })
})

it('lets a token that only reads do nothing else', async () => {
  const client = await connect((await newToken({ scope: 'read' })).token)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(readTools)
  await expect(use(client, 'add_book', { shelf, title: 'Persuasion' })).rejects.toThrow(/add_book/)
  expect(await use(client, 'my_shelves')).toHaveProperty('shelves')
})

const send = (headers: Record<string, string>, body: object | string = call('tools/list')) =>
  fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

it('refuses whoever has no token for all of it', async () => {
  const cookie = { Cookie: `pb_auth=${encodeURIComponent(JSON.stringify({ token: session }))}` }
  for (const headers of [{}, cookie, bearer('oct_nothing'), bearer('x')]) {
    const answer = await send(headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  }
  const limited = await newToken({ collections: ['quotes'] })
  expect((await send(bearer(limited.token))).status).toBe(403)

  const revoked = await newToken()
  expect((await send(bearer(revoked.token))).status).toBe(200)
  await ann.collection('api_tokens').delete(revoked.id)
  expect((await send(bearer(revoked.token))).status).toBe(401)
})

it('refuses other sites, other methods, and what is no request', async () => {
  const foreign = { ...bearer(token), Origin: 'https://evil.example' }
  expect((await send(foreign)).status).toBe(403)
  expect((await send({ ...bearer(token), Origin: octavo.url })).status).toBe(200)
  const read = await fetch(address, { headers: bearer(token) })
  expect(read.status).toBe(405)
  expect((await send(bearer(token), '{')).status).toBe(400)
  expect((await send(bearer(token), ' '.repeat(200_000))).status).toBe(413)
})

it('leaves nothing in the log, however often it is asked', async () => {
  const before = octavo.output()
  const client = await connect()
  await use(client, 'my_shelves')
  for (const body of [call('tools/list'), call('nothing/here'), '{'])
    await send(bearer(token), body)
  expect(octavo.output()).toBe(before)
})
