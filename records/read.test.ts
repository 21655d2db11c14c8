import { beforeEach, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from './database/database.ts'
import { createTables, requestOf, schema, store } from './fixture.ts'
import { listRecords, type ListParams } from './read.ts'
import type { StoredRecord } from './schema/values.ts'
import type { RequestInfo } from './access/request.ts'

const everything: ListParams = { page: 1, perPage: 30, skipTotal: false, sort: '', filter: '' }

describeDatabases('reading', (open) => {
  let db: Database
  let ann: StoredRecord
  let bob: StoredRecord
  beforeEach(async () => {
    db = await open()
    await createTables(db)
    ;[ann, bob] = (await store(db, 'people', [
      { id: 'ann', name: 'Ann', score: 3 },
      { id: 'bob', name: 'Bob', score: 1 },
    ])) as [StoredRecord, StoredRecord]
    await store(db, 'card', [
      { id: 'ca', owner: 'ann', hidden: false },
      { id: 'cb', owner: 'bob', hidden: true },
    ])
    await store(db, 'folders', [
      { id: 'open', owner: 'ann', name: 'Open' },
      { id: 'shut', owner: 'ann', name: 'Shut', secret: true },
      { id: 'bobs', owner: 'bob', name: 'Bobs' },
    ])
    await store(db, 'tags', [
      { id: 'red', name: 'Red', weight: 1 },
      { id: 'blue', name: 'Blue', weight: 2 },
    ])
    await store(db, 'notes', [
      {
        id: 'n1',
        owner: 'ann',
        folder: 'open',
        title: 'Alpha',
        stars: 5,
        tags: ['red', 'blue'],
        data: { deep: [1, 'x'] },
        kinds: ['a'],
      },
      {
        id: 'n2',
        owner: 'ann',
        folder: 'shut',
        title: 'Beta',
        stars: 4,
        tags: ['red'],
        data: ['one', 'two'],
      },
      { id: 'n3', owner: 'bob', folder: 'bobs', title: 'Gamma', stars: 3, tags: [], data: 'word' },
      {
        id: 'n4',
        owner: 'ann',
        folder: 'open',
        title: 'alphabet <b>',
        stars: 0,
        due: '2026-01-02 03:04:05.678Z',
      },
    ])
  })

  async function list(name: string, request: RequestInfo, params: Partial<ListParams> = {}) {
    const { json } = await listRecords(db, schema, schema.get(name), request, {
      ...everything,
      ...params,
    })
    return JSON.parse(json) as { items: Record<string, unknown>[]; totalItems: number }
  }
  async function ids(name: string, request: RequestInfo, params: Partial<ListParams> = {}) {
    return (await list(name, request, params)).items.map((item) => item.id)
  }

  test('a visitor lists what is for everyone', async () => {
    expect(await ids('notes', requestOf())).toEqual(['n1', 'n4'])
    expect(await ids('notes', requestOf(ann))).toEqual(['n1', 'n2', 'n4'])
    expect(await ids('notes', requestOf(bob))).toEqual(['n1', 'n3', 'n4'])
    expect(await ids('people', requestOf())).toEqual(['ann'])
  })

  test.each([
    ['title = "Alpha"', ['n1']],
    ['title ~ "alpha"', ['n1', 'n4']],
    ['stars > 3', ['n1', 'n2']],
    ['tags.name = "Red"', ['n2']],
    ['tags.name ?= "Red"', ['n1', 'n2']],
    ['tags.name ?= "Blue" && tags.weight ?= 1', []],
    ['tags.name ?= "Red" && tags.weight ?= 1', ['n1', 'n2']],
    ['data ~ "tw"', ['n2']],
    ['data.deep.0 = 1', ['n1']],
    ['data.deep.1 = "x"', ['n1']],
    ['data.deep.1 = 1', []],
    ['data = null', ['n4']],
    ['kinds:length = 1', ['n1']],
    ['kinds:each = "a"', ['n1']],
    ['owner.name:lower = "ann"', ['n1', 'n2', 'n4']],
    ['folder.owner.folders_via_owner.name ?= "Shut"', ['n1', 'n2', 'n4']],
    ['folder.owner.folders_via_owner.name = "Shut"', []],
    ['due < @now && due != ""', ['n4']],
    ['owner.email != "x"', []],
  ])('Ann filters %s', async (filter, expected) => {
    expect(await ids('notes', requestOf(ann), { filter })).toEqual(expected)
  })

  test('sorting', async () => {
    expect(await ids('notes', requestOf(ann), { sort: '-title' })).toEqual(['n4', 'n2', 'n1'])
    expect(await ids('notes', requestOf(ann), { sort: 'folder.name,-stars' })).toEqual([
      'n1',
      'n4',
      'n2',
    ])
    expect(await ids('notes', requestOf(ann), { sort: '-tags.name,data' })).toEqual([
      'n2',
      'n1',
      'n4',
    ])
  })
})
