import { beforeEach, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { RequestInfo } from '../filter/request.ts'
import type { Database } from '../database/database.ts'
import { schema, storeRecord, seedViewers } from '../records.fixture.ts'
import { listRecords, type ListParams, type QuerySource } from './read.ts'

const notes = schema.get('notes')
const title = 'x'.repeat(8000)

interface Page {
  items: { id: string; title: string; expand?: unknown }[]
  perPage: number
  totalItems: number
}

describeDatabases('a long page', (open) => {
  let db: Database
  let ann: RequestInfo
  let statements: number
  let source: QuerySource
  beforeEach(async () => {
    db = await open()
    ;({ ann } = await seedViewers(db))
    const many = Array.from({ length: 400 }, (_, i) => ({
      id: `m${String(i).padStart(3, '0')}`,
      owner: 'ann',
      folder: 'open',
      title,
      stars: i % 7,
    }))
    await storeRecord(db, 'notes', many)
    statements = 0
    source = {
      dialect: db.dialect,
      query: (text, parameters) => (statements++, db.query(text, parameters)),
    }
  })

  function list(params: Partial<ListParams>) {
    const all = { page: 1, perPage: 400, skipTotal: false, sort: '', filter: 'stars < 9' }
    return listRecords(source, schema, notes, ann, { ...all, ...params })
  }

  async function whole({ json, rest }: Awaited<ReturnType<typeof list>>): Promise<Page> {
    let text = json
    for await (const more of rest ?? []) text += more
    return JSON.parse(text) as Page
  }

  test('has the same records as short ones, in the same order and form', async () => {
    const fields = 'id,title:excerpt(3)'
    for (const sort of ['', '-stars,id']) {
      const short = []
      for (let page = 1; page <= 10; page++)
        short.push(...(await whole(await list({ sort, fields, page, perPage: 40 }))).items)
      const long = await whole(await list({ sort, fields }))
      expect(long.items).toEqual(short)
      expect(long).toMatchObject({ perPage: 400, totalItems: 404 })
      expect(long.items).toHaveLength(400)
    }
  })

  test('is only read as far as it is consumed', async () => {
    const found = await list({})
    const before = statements
    expect(found.json.length).toBeLessThan(2_000_000)
    await found.rest?.next()
    expect(statements).toBe(before + 1)
    await found.rest?.return(undefined)
    expect(statements).toBe(before + 1)
  })

  test('leaves out records hidden or removed in the meantime, and still counts as full', async () => {
    const found = await list({ sort: 'id' })
    await db.transaction(async (tx) => {
      await tx.query(`DELETE FROM notes WHERE id = 'm390'`)
      await tx.query(`UPDATE notes SET owner = 'bob', folder = 'shut' WHERE id = 'm391'`)
    })
    const { items, perPage } = await whole(found)
    expect(items.map(({ id }) => id)).not.toContain('m390')
    expect(items.map(({ id }) => id)).not.toContain('m391')
    expect([items.length, perPage]).toEqual([398, 398])
  })

  test('is refused before the response starts if its expanded relations are too large', async () => {
    const expand = 'folder'
    const some = await whole(await list({ expand, perPage: 100 }))
    expect(some.items[5]?.expand).toMatchObject({ folder: { name: 'Open' } })
    expect(some.items).toHaveLength(100)
    await storeRecord(
      db,
      'notes',
      Array.from({ length: 700 }, (_, i) => ({
        id: `n${i}xx`,
        owner: 'ann',
        folder: 'open',
        title,
      })),
    )
    await expect(list({ expand, perPage: 1000 })).rejects.toMatchObject({ status: 400 })
    expect((await whole(await list({ perPage: 1000 }))).items).toHaveLength(1000)
  })
})
