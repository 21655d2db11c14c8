import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { createTables, requestOf, schema, storeRecord } from '../records.fixture.ts'
import { listRecords, type ListParams, type QuerySource } from './read.ts'

const notes = schema.get('notes')
const names = Array.from({ length: 40 }, (_, n) => `g${String(n).padStart(2, '0')}`)
const open = names.filter((_, n) => n % 2 === 0)
const notesOf = (folder: string) => [1, 2].map((n) => `${folder}n${n}`)

describeDatabases('a list checks its rule once per group of rows', (openDatabase) => {
  let db: Database
  let statements = 0
  let counting: QuerySource
  beforeAll(async () => {
    db = await openDatabase()
    counting = {
      dialect: db.dialect,
      query: (text, parameters) => {
        statements++
        return db.query(text, parameters)
      },
    }
    await createTables(db)
    await storeRecord(db, 'people', [{ id: 'ann' }])
    await storeRecord(db, 'card', [{ id: 'c', owner: 'ann' }])
    // Every second one of Ann's folders is private; each has two notes.
    const folders = names.map((id, n) => ({ id, owner: 'ann', name: 'group', secret: n % 2 === 1 }))
    await storeRecord(db, 'folders', folders)
    const all = names.flatMap((folder) =>
      notesOf(folder).map((id) => ({ id, folder, owner: 'ann' })),
    )
    await storeRecord(db, 'notes', all)
  })

  async function list(params: Partial<ListParams>) {
    statements = 0
    const whole = { page: 1, perPage: 50, skipTotal: false, sort: 'id', filter: '', ...params }
    const { json } = await listRecords(counting, schema, notes, requestOf(), whole)
    const { items, totalItems } = JSON.parse(json) as {
      items: { id: string }[]
      totalItems: number
    }
    return { ids: items.map(({ id }) => id), totalItems }
  }

  test.each([
    ['all of one', 'folder = "g00"', ['g00'], 2],
    ['none', 'folder = "g01"', [], 1],
    ['some of a few', 'folder ~ "g0"', ['g00', 'g02', 'g04', 'g06', 'g08'], 2],
    ['too many to tell apart', 'folder ~ "g"', open, 2],
    ['through a relation too', 'folder.name = "group"', open, 2],
  ])('%s', async (_, filter, passed, cost) => {
    const expected = passed.flatMap(notesOf)
    expect(await list({ filter })).toEqual({ ids: expected, totalItems: expected.length })
    expect(statements).toBe(cost)
    const second = await list({ filter, page: 2, perPage: 2 })
    expect(second).toEqual({ ids: expected.slice(2, 4), totalItems: expected.length })
    const beyond = await list({ filter, page: 2 })
    expect(beyond).toEqual({ ids: [], totalItems: expected.length })
    expect(await list({ filter, skipTotal: true })).toEqual({ ids: expected, totalItems: -1 })
    expect(statements).toBe(1)
  })

  test('without a filter', async () => {
    const expected = open.flatMap(notesOf)
    expect(await list({})).toEqual({ ids: expected, totalItems: expected.length })
  })
})
