import { beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import type { RequestInfo } from '../filter/request.ts'
import { FilterError } from '../filter/tree.ts'
import { requestOf, schema, seedViewers } from '../records.fixture.ts'
import { listRecords } from './read.ts'
import { checkFilter, totalOf } from './total.ts'

const notes = schema.get('notes')

describeDatabases('totals', (open) => {
  let db: Database
  let viewers: Record<'visitor' | 'ann' | 'bob', RequestInfo>
  beforeAll(async () => {
    db = await open()
    viewers = { visitor: requestOf(), ...(await seedViewers(db)) }
  })

  const total = (name: keyof typeof viewers, filter: string) =>
    totalOf(db, schema, notes, { viewer: viewers[name].viewer, filter, sums: ['stars'] })

  test.each([
    'id != ""',
    'stars > 1',
    'owner = "bob"',
    'owner = "ann" && stars >= 0',
    'folder.name ~ "o" || tags.name ?= "x"',
    'title = "nothing is called so"',
  ])('are those of a list under %j', async (filter) => {
    for (const name of ['visitor', 'ann', 'bob'] as const) {
      const params = { page: 1, perPage: 100, skipTotal: false, sort: '', filter }
      const { json } = await listRecords(db, schema, notes, viewers[name], params)
      const { items } = JSON.parse(json) as { items: { stars: number }[] }
      const stars = items.reduce((sum, note) => sum + note.stars, 0)
      expect(await total(name, filter), name).toEqual([items.length, stars])
    }
  })

  test('can be only those of a condition of the server, even on a hidden field', async () => {
    const filter = 'stars >= 0'
    const count = async (only: string) => {
      const query = { viewer: viewers.ann.viewer, filter, sums: [], only }
      return (await totalOf(db, schema, notes, query))[0]
    }
    const all = await count('')
    expect(await count('hint = ""')).toBeLessThanOrEqual(all!)
    expect((await count('hint = ""'))! + (await count('hint != ""'))!).toBe(all)
    expect(await count('stars > 1')).toBe((await total('ann', `${filter} && stars > 1`))[0])
  })

  test('refuse what is no filter, and what nobody may compare', async () => {
    for (const filter of ['stars >', 'shoes = 1', 'hint = "x"'])
      await expect(total('ann', filter)).rejects.toMatchObject({ status: 400 })
  })

  describe('a filter', () => {
    const check = (filter: string) => checkFilter(schema, db.dialect, notes, filter)

    test.each(['stars > 1', 'folder.name = "x"', 'title ~ "a" // and no more'])(
      'may be %j',
      (filter) => {
        expect(() => check(filter)).not.toThrow()
      },
    )
    test.each(['', 'stars', 'stars > 1) || (stars < 1', 'hint = "x"', '@request.auth.id = ""'])(
      'may not be %j',
      (filter) => {
        expect(() => check(filter)).toThrow(FilterError)
      },
    )
  })
})
