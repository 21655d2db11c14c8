import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { RequestInfo } from '../filter/request.ts'
import type { Database } from '../database/database.ts'
import { parseExpand } from './expand-tree.ts'
import { requestOf, schema, storeRecord, seedViewers, seedRecords } from '../records.fixture.ts'
import { listRecords, presentRecord, viewRecord as viewInPieces, type QuerySource } from './read.ts'

/** All records here are short. */
const viewRecord = async (...args: Parameters<typeof viewInPieces>) =>
  (await viewInPieces(...args))?.json ?? null

const visitor = requestOf()

describeDatabases('expand', (open) => {
  let db: Database
  let ann: RequestInfo
  let bob: RequestInfo
  beforeAll(async () => {
    db = await open()
    ;({ ann, bob } = await seedViewers(db))
  })

  /** A record's expanded relations, each record as its id and its own expanded relations. */
  async function expanded(name: string, id: string, request: RequestInfo, expand: string) {
    const json = await viewRecord(db, schema, schema.get(name), id, request, { expand })
    return ids((JSON.parse(json!) as { expand?: unknown }).expand)
  }
  function ids(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(ids)
    if (typeof value !== 'object' || value === null) return value
    const { id, expand, ...rest } = value as Record<string, unknown>
    if (typeof id === 'string')
      return expand === undefined ? id : { id, ...(ids(expand) as object) }
    return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, ids(inner)]))
  }

  test('a to-one relation is an object, a to-many one a list in the stored order', async () => {
    expect(await expanded('notes', 'n1', ann, 'folder,tags')).toEqual({
      folder: 'open',
      tags: ['red', 'blue'],
    })
  })

  test('expands relations of the related records', async () => {
    expect(await expanded('notes', 'n5', ann, 'folder.parent.parent.owner, folder.owner')).toEqual({
      folder: {
        id: 'under',
        owner: 'ann',
        parent: { id: 'shut', parent: { id: 'open', owner: 'ann' } },
      },
    })
  })

  test('follows a relation backwards: to a list, or by a unique field to an object', async () => {
    expect(await expanded('people', 'ann', ann, 'folders_via_owner,card_via_owner')).toEqual({
      card_via_owner: 'ca',
      folders_via_owner: ['open', 'shut', 'under'],
    })
    expect(await expanded('people', 'ann', bob, 'folders_via_owner,card_via_owner')).toEqual({
      folders_via_owner: ['open', 'under'],
    })
    expect(await expanded('tags', 'red', ann, 'notes_via_tags')).toEqual({
      notes_via_tags: ['n1', 'n2'],
    })
    expect(await expanded('tags', 'red', visitor, 'notes_via_tags')).toEqual({
      notes_via_tags: ['n1'],
    })
  })

  test('leaves out what the viewer may not see', async () => {
    expect(await expanded('notes', 'n5', visitor, 'folder.parent')).toEqual({
      folder: { id: 'under' },
    })
    expect(await expanded('notes', 'n3', bob, 'owner,folder')).toEqual({
      owner: 'bob',
      folder: 'bobs',
    })
    expect(await expanded('people', 'ann', visitor, 'card_via_owner')).toEqual({})
  })

  test('ignores unknown paths', async () => {
    expect(await expanded('notes', 'n1', ann, 'nothing,title,hint,vault_via_owner')).toBeUndefined()
    expect(await expanded('people', 'ann', ann, 'vault_via_owner')).toBeUndefined()
    expect(await expanded('notes', 'n4', ann, 'tags')).toEqual({})
  })

  test('shows an account its own email wherever it appears', async () => {
    const json = (request: RequestInfo) =>
      viewRecord(db, schema, schema.get('notes'), 'n1', request, { expand: 'owner' })
    expect(await json(ann)).toContain('"email":"ann@example.org"')
    expect(await json(bob)).not.toContain('ann@example.org')
    expect(await json(bob)).not.toContain('tokenKey')
  })

  test('takes one statement per relation, however many records there are', async () => {
    let statements = 0
    const counting: QuerySource = {
      dialect: db.dialect,
      query: (text, parameters) => (statements++, db.query(text, parameters)),
    }
    const params = { page: 1, perPage: 30, skipTotal: true, sort: '', filter: '' }
    await listRecords(counting, schema, schema.get('notes'), ann, {
      ...params,
      expand: 'folder.owner,tags',
    })
    expect(statements).toBe(4)
  })

  test('refuses relations that repeat too much, and shows those just below the limit', async () => {
    const db = await open()
    await seedRecords(db)
    const title = 'x'.repeat(100)
    const notes = Array.from({ length: 150 }, (_, i) => ({ id: `m${i}`, owner: 'ann', title }))
    await storeRecord(
      db,
      'notes',
      notes.map((note) => ({ ...note, folder: 'open' })),
    )
    const there = 'folder.notes_via_folder'
    const once = { expand: `${there}.folder` }
    const often = { expand: [there, there, there].join('.') }
    const collection = schema.get('notes')
    const params = { page: 1, perPage: 60, skipTotal: true, sort: '', filter: 'folder = "open"' }
    const list = (shape: { expand: string }, perPage: number) =>
      listRecords(db, schema, collection, ann, { ...params, ...shape, perPage })
    const tooMuch = { status: 400, message: expect.stringContaining('too large') as string }

    expect((await list(once, 1)).json.length).toBeGreaterThan(50_000)
    await expect(list(often, 60)).rejects.toMatchObject(tooMuch)
    await expect(list(once, 1000)).rejects.toMatchObject(tooMuch)
    await expect(
      viewRecord(db, schema, collection, 'm1', ann, { expand: `${often.expand}.owner` }),
    ).rejects.toMatchObject(tooMuch)
    await expect(presentRecord(db, schema, collection, 'm1', ann, often)).rejects.toMatchObject(
      tooMuch,
    )
    expect(await viewRecord(db, schema, collection, 'm1', ann, once)).toContain('"id":"m149"')
  })
})

test('paths are merged, up to six levels deep', () => {
  expect(parseExpand('a.b, a.c ,a')).toEqual(
    new Map([
      [
        'a',
        new Map([
          ['b', new Map()],
          ['c', new Map()],
        ]),
      ],
    ]),
  )
  let depth = 0
  for (let at = parseExpand('a.a.a.a.a.a.a.a'); at.size; at = at.get('a')!) depth++
  expect(depth).toBe(6)
  expect(parseExpand('')).toEqual(new Map())
  expect(parseExpand(undefined)).toEqual(new Map())
})
