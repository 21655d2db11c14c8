import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeDatabases, newPostgresUrl } from '#tests/databases.ts'
import type { RequestInfo } from '../filter/request.ts'
import type { Database } from '../database/database.ts'
import { openPostgres } from '../database/postgres.ts'
import { createTables, requestOf, schema, storeRecord, seedViewers } from '../records.fixture.ts'
import {
  findRecord,
  listRecords,
  matches,
  presentRecord,
  viewRecord as viewInPieces,
  type ListParams,
} from './read.ts'

/** All records here are short. */
const viewRecord = async (...args: Parameters<typeof viewInPieces>) =>
  (await viewInPieces(...args))?.json ?? null

const everything: ListParams = { page: 1, perPage: 30, skipTotal: false, sort: '', filter: '' }
const visitor = requestOf()

describeDatabases('reading', (open) => {
  let db: Database
  let ann: RequestInfo
  let bob: RequestInfo
  beforeAll(async () => {
    db = await open()
    ;({ ann, bob } = await seedViewers(db))
  })

  async function list(name: string, request: RequestInfo, params: Partial<ListParams> = {}) {
    const collection = schema.get(name)
    const { json } = await listRecords(db, schema, collection, request, {
      ...everything,
      ...params,
    })
    return JSON.parse(json) as { items: { id: string }[]; totalItems: number; totalPages: number }
  }
  async function ids(name: string, request: RequestInfo, params: Partial<ListParams> = {}) {
    const { items, totalItems } = await list(name, request, params)
    const found = items.map(({ id }) => id).join(' ')
    return totalItems === items.length ? found : `${found} of ${totalItems}`
  }

  describe('a rule', () => {
    test('lets each viewer see their own and public records, in order of creation', async () => {
      expect(await ids('notes', visitor)).toBe('n1 n4 n5')
      expect(await ids('notes', ann)).toBe('n1 n2 n4 n5')
      expect(await ids('notes', bob)).toBe('n1 n3 n4 n5')
      expect(await ids('people', visitor)).toBe('ann')
      expect(await ids('people', bob)).toBe('ann bob')
      expect(await ids('card', visitor)).toBe('')
      expect(await ids('card', bob)).toBe('cb')
    })

    test('that is null locks the collection', async () => {
      await expect(list('vault', ann)).rejects.toMatchObject({ status: 403 })
      await expect(viewRecord(db, schema, schema.get('vault'), 'v', ann)).rejects.toMatchObject({
        status: 403,
        message: 'Only superusers can perform this action.',
      })
    })

    test('hides a record from a view as if it did not exist', async () => {
      const view = (id: string, request: RequestInfo) =>
        viewRecord(db, schema, schema.get('notes'), id, request)
      expect(await view('n2', visitor)).toBeNull()
      expect(await view('n2', ann)).toContain('"title":"canary"')
      expect(await view('nothing', ann)).toBeNull()
      expect(await view('n1\0', ann)).toBeNull()
    })
  })

  describe('a filter', () => {
    test.each([
      ['title = "Alpha"', 'n1'],
      ['title ~ "alpha"', 'n1 n4'],
      ['title !~ "alpha"', 'n2 n5'],
      ['title ~ "alpha%"', 'n1 n4'],
      ['title ~ "%a"', 'n1'],
      ['title:lower = "alpha"', 'n1'],
      ['stars > 3', 'n1 n2 n5'],
      ['stars ~ 4', 'n2 n5'],
      ['stars = "4"', 'n2 n5'],
      ['stars < "many"', 'n1 n2 n4 n5'],
      ['done = true', 'n5'],
      ['done != false', 'n5'],
      ['due = null', 'n1 n2 n5'],
      ['due != "" && due < @now', 'n4'],
      ['due >= "2026-01-02" && due < "2026-01-03"', 'n4'],
      ['data = null', 'n4 n5'],
      ['data = ""', ''],
      ['data ~ "on"', 'n2'],
      ['data.deep.0 = 1', 'n1'],
      ['data.deep.0 = "1"', ''],
      ['data.deep.1 = "x"', 'n1'],
      ['data.deep = "[1,\\"x\\"]"', 'n1'],
      ['data.nothing = null', 'n1 n2 n4 n5'],
      ['kinds = "[]"', 'n1 n2 n4'],
      ['kinds ~ "b"', 'n5'],
      ['kinds:length > 1', 'n5'],
      ['kinds:each = "a"', ''],
      ['kinds:each ?= "a"', 'n5'],
      ['kinds:each ~ "_"', ''],
      ['folder:length = 1', 'n1 n2 n4 n5'],
      ['folder.name = "Open" || folder.name = "Under"', 'n1 n4 n5'],
      ['owner.name:lower = "ann" && (stars = 5 || stars = 0)', 'n1 n4'],
      ['title = owner.name || stars != owner.score', 'n1 n2 n4 n5'],
      ['tags.id ?= "red"', 'n1 n2'],
      ['tags.name = "Red"', 'n2'],
      ['tags.name ?= "Red"', 'n1 n2'],
      ['tags.name != "Red"', 'n4 n5'],
      ['tags.name = ""', 'n4 n5'],
      ['tags.name ?= "Blue" && tags.weight ?= 1', ''],
      ['tags.name ?= "Red" && tags.weight ?= 1', 'n1 n2'],
      ['tags.weight > 0', 'n1 n2'],
      ['folder.owner.folders_via_owner.name ?= "Open"', 'n1 n2 n4 n5'],
      ['folder.owner.folders_via_owner.name = "Open"', ''],
      ['owner.card_via_owner.hidden = false', 'n1 n2 n4 n5'],
      ["title = 'Alpha' // and nothing else", 'n1'],
    ])('%s finds %s', async (filter, expected) => {
      expect(await ids('notes', ann, { filter })).toBe(expected)
    })

    test.each([
      ['notes_via_tags.title ?= "Alpha"', 'blue red'],
      ['notes_via_tags.title ?= "canary"', 'red'],
      ['notes_via_tags.title ?= "Deep"', ''],
    ])('finds tags by their notes: %s finds %s', async (filter, expected) => {
      expect(await ids('tags', ann, { filter, sort: 'id' })).toBe(expected)
    })

    test.each([
      'hint = "x"',
      'nothing = 1',
      '@request.auth.id != ""',
      'owner.vault_via_owner.word != ""',
      ' ',
    ])('%j is refused without a reason', async (filter) => {
      const refused = {
        status: 400,
        message: 'Something went wrong while processing your request.',
        data: {},
      }
      await expect(list('notes', ann, { filter })).rejects.toMatchObject(refused)
      await expect(list('notes', ann, { sort: filter })).rejects.toMatchObject(refused)
    })

    test('may be 3500 bytes long', async () => {
      const filter = (length: number) => `title = "${'é'.repeat((length - 10) / 2)}"`
      expect(await ids('notes', ann, { filter: filter(3500) })).toBe('')
      await expect(list('notes', ann, { filter: filter(3502) })).rejects.toMatchObject({
        status: 400,
      })
    })

    test.each(['=', '!=', '~', '!~', '?=', '?!=', '<', '>='])(
      'never matches an email, not even for its owner (%s)',
      async (operator) => {
        for (const field of ['email', 'email:lower', 'card_via_owner.owner.email'])
          for (const value of ['ann@example.org', ''])
            expect(await ids('people', ann, { filter: `${field} ${operator} "${value}"` })).toBe('')
      },
    )
  })

  describe('a hidden record leaves no trace', () => {
    test.each([
      ['notes', 'folder.parent.name ~ "canary"'],
      ['notes', 'folder.parent.name ?!~ "nothing" && folder.parent.name != ""'],
      ['notes', 'folder.parent.parent.name = "Open"'],
      ['notes', 'owner.folders_via_owner.name ?~ "canary"'],
      ['notes', 'owner.notes_via_owner.title ?= "canary"'],
      ['notes', 'owner.card_via_owner.hidden = false'],
      ['notes', 'owner.card_via_owner.hidden = true'],
      ['people', 'card_via_owner.hidden = false'],
      ['people', 'card_via_owner.id != ""'],
      ['people', 'folders_via_owner.name ?~ "canary"'],
      ['people', 'notes_via_owner.folder.name ?~ "canary"'],
      ['folders', 'parent.name ~ "canary"'],
      ['tags', 'name ~ "canary"'],
    ])('in %s: %s', async (collection, filter) => {
      expect(await ids(collection, visitor, { filter })).toBe('')
    })

    test.each(['card_via_owner.hidden != true', 'card_via_owner.id = ""'])(
      'as if it didn’t exist: %s',
      async (filter) => {
        expect(await ids('people', visitor, { filter })).toBe('ann')
      },
    )

    test('except to its owner', async () => {
      expect(await ids('notes', ann, { filter: 'folder.parent.name ~ "canary"' })).toBe('n5')
      expect(await ids('people', ann, { filter: 'card_via_owner.hidden = false' })).toBe('ann')
      expect(await ids('people', ann, { filter: 'card_via_owner.id = ""' })).toBe('')
      expect(await ids('people', ann, { filter: 'folders_via_owner.name ?~ "canary"' })).toBe('ann')
    })

    test('in conditions on every related record', async () => {
      const filter = 'notes_via_owner.title !~ "canary"'
      expect(await ids('people', visitor, { filter })).toBe('ann')
      expect(await ids('people', ann, { filter })).toBe('')
    })

    test('in the order', async () => {
      const sort = '-folder.parent.name,title'
      expect(await ids('notes', visitor, { sort })).toBe('n1 n5 n4')
      expect(await ids('notes', ann, { sort })).toBe('n5 n2 n1 n4')
    })
  })

  describe('the order', () => {
    test.each([
      ['title', 'n1 n5 n4 n2'],
      ['-title', 'n2 n4 n5 n1'],
      ['title:lower', 'n1 n4 n2 n5'],
      ['-stars', 'n1 n2 n5 n4'],
      ['-stars, -title', 'n1 n2 n5 n4'],
      ['+stars,title', 'n4 n5 n2 n1'],
      ['folder.name,-id', 'n4 n1 n2 n5'],
      ['data,-id', 'n5 n4 n2 n1'],
      ['data.deep.0,title', 'n5 n4 n2 n1'],
      ['tags.name,-id', 'n5 n4 n1 n2'],
      ['-tags.name,-id', 'n2 n1 n5 n4'],
    ])('%s is %s', async (sort, expected) => {
      expect(await ids('notes', ann, { sort })).toBe(expected)
    })

    test('@random returns everything once', async () => {
      const found = await ids('notes', ann, { sort: '@random' })
      expect(found.split(' ').sort().join(' ')).toBe('n1 n2 n4 n5')
    })

    test.each([
      'title,',
      ',',
      '--title',
      'email',
      'owner.tokenKey',
      '@rowid',
      '@now',
      'title desc',
      'a'.repeat(256),
      'title,'.repeat(8) + 'title',
    ])('%j is refused', async (sort) => {
      await expect(list('notes', ann, { sort })).rejects.toMatchObject({ status: 400 })
    })
  })

  describe('a view', () => {
    test('depends on the viewer', async () => {
      const digest = async (request: RequestInfo) =>
        (await list('digest', request)).items.map((item) => ({ ...item, collectionId: '' }))
      const row = { collectionId: '', collectionName: 'digest', open: true, mark: 'Ann' }
      const mine = { ...row, id: 'ann', name: 'Ann', person: 'ann' }
      expect(await digest(visitor)).toEqual([{ ...mine, folders: 2 }])
      expect(await digest(ann)).toEqual([{ ...mine, folders: 3 }])
      expect(await digest(bob)).toMatchObject([
        { id: 'ann', folders: 2 },
        { id: 'bob', folders: 1 },
      ])
    })

    test('is filtered, sorted and expanded like a table', async () => {
      const digest = (params: Partial<ListParams>) => ids('digest', bob, params)
      expect(await digest({ filter: 'folders > 1 && open = true' })).toBe('ann')
      expect(await digest({ filter: 'mark > "a"' })).toBe('bob')
      expect(await digest({ filter: 'person.name = "Ann"' })).toBe('ann')
      expect(await digest({ sort: 'mark' })).toBe('ann bob')
      expect(await digest({ sort: '-mark' })).toBe('bob ann')
      expect(await ids('people', bob, { filter: 'digest_via_person.folders ?> 1' })).toBe('ann')
      const { items } = await list('digest', bob, { expand: 'person' })
      expect(items).toMatchObject([
        { expand: { person: { id: 'ann' } } },
        { expand: { person: { id: 'bob' } } },
      ])
      const { items: people } = await list('people', ann, { expand: 'digest_via_person' })
      expect(people).toMatchObject([{ expand: { digest_via_person: [{ folders: 3 }] } }])
    })

    test('shows a row only to viewers who may see it', async () => {
      const digest = schema.get('digest')
      expect(await viewRecord(db, schema, digest, 'bob', bob)).toContain('"name":"Bob canary"')
      expect(await viewRecord(db, schema, digest, 'bob', ann)).toBeNull()
    })
  })

  test('a filter can be matched against one record', async () => {
    const finds = (filter: string, request = ann) =>
      matches(db, schema, schema.get('notes'), 'n5', request, filter)
    expect(await finds('title = "Deep"')).toBe(true)
    expect(await finds('title = "deep"')).toBe(false)
    expect(await finds('folder.parent.name ~ "canary"')).toBe(true)
    expect(await finds('folder.parent.name ~ "canary"', visitor)).toBe(false)
    await expect(finds('title = "x") || (title != "x"')).rejects.toMatchObject({ status: 400 })
    await expect(finds('hint = ""')).rejects.toMatchObject({ status: 400 })
  })

  test('pages do not overlap and know how many there are', async () => {
    const page = (n: number) => list('notes', ann, { perPage: 3, page: n, sort: 'done' })
    const [first, second, beyond] = [await page(1), await page(2), await page(1e9)]
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['n1', 'n2', 'n4', 'n5'])
    expect(first).toMatchObject({ page: 1, perPage: 3, totalItems: 4, totalPages: 2 })
    expect(beyond).toMatchObject({ items: [], page: 1e9, totalItems: 4, totalPages: 2 })
    const uncounted = await list('notes', ann, { perPage: 3, skipTotal: true })
    expect(uncounted).toMatchObject({ totalItems: -1, totalPages: -1 })
    const tags = await list('tags', visitor, { perPage: 1, sort: 'weight' })
    expect(tags).toMatchObject({ items: [{ id: 'red' }], totalItems: 2, totalPages: 2 })
  })

  test('an account sees its own email, never others’', async () => {
    const people = schema.get('people')
    const view = async (request: RequestInfo) =>
      JSON.parse((await viewRecord(db, schema, people, 'ann', request))!) as object
    expect(Object.keys(await view(visitor))).toEqual([
      'collectionId',
      'collectionName',
      'id',
      'name',
      'score',
    ])
    expect(await view(bob)).not.toHaveProperty('email')
    expect(await view(ann)).toMatchObject({ email: 'ann@example.org', verified: false })
    expect(await view(ann)).not.toHaveProperty('tokenKey')
    const signedIn = await presentRecord(db, schema, people, 'ann', visitor, { asSelf: true })
    expect(JSON.parse(signedIn)).toMatchObject({ email: 'ann@example.org' })
    await expect(presentRecord(db, schema, people, 'nobody', visitor)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('findRecord returns hidden fields, too', async () => {
    expect(await findRecord(db, schema.get('people'), 'ann')).toMatchObject({
      code: 'canary',
      score: 3,
      verified: false,
    })
    expect(await findRecord(db, schema.get('notes'), 'n1')).toMatchObject({
      tags: ['red', 'blue'],
      data: { deep: [1, 'x'] },
    })
    expect(await findRecord(db, schema.get('notes'), 'n1\0')).toBeNull()
  })

  test('the response is safe inside HTML', async () => {
    const json = await viewRecord(db, schema, schema.get('notes'), 'n4', ann)
    expect(json).toContain('"title":"alpha \\u003cb\\u003e\\u0026"')
  })

  test('fields selects keys of records and of their expanded relations', async () => {
    const shown = await list('notes', ann, {
      filter: 'id = "n1"',
      expand: 'folder,tags',
      fields: 'title:excerpt(3,true),expand.tags.name,data.deep,nothing',
    })
    expect(shown).toEqual({
      items: [
        {
          data: { deep: [1, 'x'] },
          expand: { tags: [{ name: 'Red' }, { name: 'Blue' }] },
          title: 'Alp...',
        },
      ],
      page: 1,
      perPage: 30,
      totalItems: 1,
      totalPages: 1,
    })
    await expect(list('notes', ann, { fields: 'title:shout()' })).rejects.toMatchObject({
      status: 400,
    })
  })
})

test('PostgreSQL compiles no filter, which would take longer than to run it', async () => {
  const db = await openPostgres(await newPostgresUrl())
  onTestFinished(() => db.close())
  const [alone, within] = [
    await db.query('SHOW jit'),
    await db.transaction((tx) => tx.query('SHOW jit')),
  ]
  expect([alone, within]).toEqual([[['off']], [['off']]])
})

describe('with a PostgreSQL timeout of a tenth of a second', () => {
  async function openHasty() {
    const db = await openPostgres(await newPostgresUrl(), { within: 100 })
    onTestFinished(() => db.close())
    await createTables(db)
    const params = { page: 1, perPage: 1, skipTotal: true, sort: '', filter: '' }
    const list = () => listRecords(db, schema, schema.get('tags'), requestOf(), params)
    return { db, list }
  }

  test('a longer read is refused, a longer write is not', async () => {
    const { db, list } = await openHasty()
    await storeRecord(db, 'tags', [{ id: 'red' }])
    await db.query('ALTER TABLE tags RENAME TO slow')
    await db.query('CREATE VIEW tags AS SELECT * FROM slow WHERE pg_sleep(5) IS NOT NULL')
    await expect(list()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('too long') as string,
    })
    await db.transaction(async (tx) => {
      expect(await tx.query('SHOW statement_timeout')).toEqual([['0']])
    })
  })

  test('waiting for a lock fails with its own error, for writes a little later', async () => {
    const { db, list } = await openHasty()
    const isLocked = { code: '55P03' }
    await db.transaction(async (tx) => {
      await tx.query('LOCK TABLE tags')
      await expect(list()).rejects.toMatchObject(isLocked)
      await expect(storeRecord(db, 'tags', [{ id: 'red' }])).rejects.toMatchObject(isLocked)
    })
    await storeRecord(db, 'tags', [{ id: 'red' }])
    expect((await list()).json).toContain('"id":"red"')
  })
})
