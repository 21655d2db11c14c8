import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Viewer } from '../filter/request.ts'
import type { Database } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { requestOf, schema, seedRecords } from '../records.fixture.ts'
import { Limits } from '../limits/index.ts'
import { errorResponse } from './response.ts'
import { listRoute } from './read.ts'
import { requestInfo, type Env } from './request-info.ts'
import { viewRoute } from './read.ts'

const unknown =
  '{"data":{},"message":"Something went wrong while processing your request.","status":400}\n'

describeDatabases('the reading routes', (open) => {
  let app: Hono<Env>
  let viewer: Viewer | null = null
  const waits: number[] = []
  beforeAll(async () => {
    const database: Database = await open()
    const { ann } = await seedRecords(database)
    const person = requestOf(ann).viewer
    app = new Hono<Env>()
    app.use(async (c, next) => {
      c.set('viewer', viewer && person)
      c.set('network', '192.0.2.1')
      await next()
    })
    app.onError((error) => {
      if (error instanceof ApiError) return errorResponse(error)
      throw error
    })
    const wait = async (milliseconds: number) => waits.push(milliseconds)
    const timers = { now: () => 0, wait, random: () => 0.5 }
    const limits = (rules: {} | false) =>
      new Limits({ database, secret: 'x'.repeat(32), now: () => 0, rules, timers })
    const report = (error: unknown) => expect.fail(String(error))
    const deps = { database, schema, requestInfo, limits: limits({}), report }
    app.get('/collections/:collection/records', listRoute(deps))
    app.get(
      '/unlimited/collections/:collection/records',
      listRoute({ ...deps, limits: limits(false) }),
    )
    app.get('/collections/:collection/records/:id', viewRoute(deps))
    viewer = person
  })

  async function get(path: string): Promise<{ status: number; text: string; headers: Headers }> {
    const answer = await app.request(`/collections/${path}`)
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  test('responses to a client that keeps finding nothing are delayed', async () => {
    const search = (collection: string, title: string) =>
      get(`${collection}/records?filter=${encodeURIComponent(title)}`)
    for (let i = 0; i < 9; i++) {
      expect((await search('tags', `name="canary ${i}"`)).status).toBe(200)
      expect((await search('notes', 'title="Alpha"')).text).toContain('Alpha')
      await get('notes/records?page=99')
    }
    expect(waits).toEqual([])
    for (let i = 0; i < 4; i++) await search('notes', `title="canary ${i}"`)
    expect(waits).toEqual([250])
    for (let i = 0; i < 4; i++) {
      const answer = await app.request(`/unlimited/collections/notes/records?filter=title="${i}"`)
      expect(await answer.json()).toMatchObject({ items: [] })
    }
    expect(waits).toEqual([250])
  })

  test('a list isn’t cached, and is found by name in any case or by id', async () => {
    const tags = schema.get('tags')
    const item = (id: string, name: string, weight: number) =>
      `{"collectionId":"${tags.id}","collectionName":"tags","id":"${id}","name":"${name}","weight":${weight}}`
    const { status, text, headers } = await get('tags/records?sort=-weight')
    expect(status).toBe(200)
    expect(text).toBe(
      `{"items":[${item('blue', 'Blue', 2)},${item('red', 'Red', 1)}],"page":1,"perPage":30,"totalItems":2,"totalPages":1}\n`,
    )
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await get('TAGS/records?sort=-weight')).text).toBe(text)
    expect((await get(`${tags.id}/records?sort=-weight`)).text).toBe(text)
  })

  test.each([
    ['', 1, 30],
    ['page=0&perPage=0', 1, 30],
    ['page=-3&perPage=-1', 1, 30],
    ['perPage=1000000', 1, 1000],
    ['page=1000000000&perPage=1000', 1_000_000_000, 1000],
    ['page=9007199254740991&perPage=1000', 9_007_199_254_740_991, 1000],
    ['page=2&page=3', 2, 30],
  ])('%s is page %i with %i per page', async (query, page, perPage) => {
    const { text } = await get(`tags/records?${query}`)
    expect(JSON.parse(text)).toMatchObject({ page, perPage, totalItems: 2 })
  })

  test.each([
    'page=x',
    'page=1.5',
    'perPage=1e3',
    'page=99999999999999999999',
    'skipTotal=yes',
    'filter=hint="x"',
    'filter=password="x"',
    `filter=${encodeURIComponent('@request.auth.id != ""')}`,
    'filter=%20',
    'filter=%00',
    'sort=@rowid',
    'sort=hint',
    'fields=title:shout(1)',
  ])('%s is refused with the same message', async (query) => {
    const { status, text } = await get(`notes/records?${query}`)
    expect({ status, text }).toEqual({ status: 400, text: unknown })
  })

  test('a locked collection is refused before an invalid query', async () => {
    const { status, text } = await get('vault/records?page=x')
    expect(status).toBe(403)
    expect(text).toBe(
      '{"data":{},"message":"Only superusers can perform this action.","status":403}\n',
    )
    expect((await get('vault/records/v')).text).toBe(text)
    expect((await get('vault/records/nothing')).text).toBe(text)
  })

  test('an unknown collection is not found', async () => {
    const body = '{"data":{},"message":"Missing collection context.","status":404}\n'
    expect(await get('nothing/records')).toMatchObject({ status: 404, text: body })
    expect(await get('nothing/records/x')).toMatchObject({ status: 404, text: body })
    expect(await get('__proto__/records')).toMatchObject({ status: 404, text: body })
  })

  test('a hidden record gets the same response as one that doesn’t exist', async () => {
    const missing = await get('notes/records/nothing')
    expect(missing.status).toBe(404)
    expect(await get('notes/records/n3')).toEqual(missing)
    expect(await get('notes/records/n1%00')).toEqual(missing)
    expect(await get('notes/records/%ED%A0%80')).toEqual(missing)
    expect(missing.text).toBe(
      `{"data":{},"message":"The requested resource wasn't found.","status":404}\n`,
    )
  })

  test('a single record takes expand and fields', async () => {
    const { text, headers } = await get(
      'notes/records/n1?expand=folder&fields=id,expand.folder.name',
    )
    expect(text).toBe('{"expand":{"folder":{"name":"Open"}},"id":"n1"}\n')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
