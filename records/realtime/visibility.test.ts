import { beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database, Transaction } from '../database/database.ts'
import { requestOf, schema, storeRecord, seedRecords } from '../records.fixture.ts'
import type { QuerySource } from '../read/read.ts'
import type { StoredRecord } from '../schema/values.ts'
import type { Audience } from './broker.ts'
import { deleteEvents, visibleTo } from './visibility.ts'
import { parseTopic } from './topic.ts'

const notes = schema.get('notes')

function fail(error: unknown): never {
  throw error
}

describeDatabases('the recipients of an event', (open) => {
  let db: Database
  let ann: StoredRecord
  let bob: StoredRecord
  beforeAll(async () => {
    db = await open()
    ;({ ann, bob } = await seedRecords(db))
  })

  const note = (id: string, from: QuerySource = db) => ({ db: from, schema, collection: notes, id })

  function audience(who: StoredRecord | undefined, query: Record<string, string>): Audience {
    const options = encodeURIComponent(JSON.stringify({ query }))
    const topic = parseTopic(`notes/*?options=${options}`, () => notes.id)
    return { topic, viewer: requestOf(who).viewer }
  }

  function filtered(who: StoredRecord | undefined, count: number): Audience[] {
    return Array.from({ length: count }, (_, i) => audience(who, { filter: `title != "no ${i}"` }))
  }

  test('a viewer who may not see the record costs one query, however many filters it has', async () => {
    let statements = 0
    const counting = {
      dialect: db.dialect,
      query: (...asked: Parameters<Database['query']>) => (statements++, db.query(...asked)),
    }
    const hidden = await visibleTo(note('n2', counting), filtered(bob, 40), fail)
    expect([hidden.length, statements]).toEqual([0, 1])
    const seen = await visibleTo(note('n2', counting), filtered(ann, 40), fail)
    expect(seen).toHaveLength(40)
  })

  test('a broad filter is checked by a search, which others don’t wait for', async () => {
    const asked: string[] = []
    const source = {
      dialect: db.dialect,
      query: (...what: Parameters<Database['query']>) => (asked.push('at once'), db.query(...what)),
      search: (...what: Parameters<Database['search']>) => (
        asked.push(`apart for ${what[2]}`),
        db.search(...what)
      ),
    }
    const hears = async (query: Record<string, string>) => {
      asked.length = 0
      const heard = await visibleTo(note('n1', source), [audience(ann, query)], fail)
      return [heard.length, ...asked]
    }
    const [rule, record] = ['at once', 'at once']
    expect(await hears({ filter: 'stars > 0' })).toEqual([1, rule, 'at once', record])
    for (const filter of ['title ~ "a"', 'owner.notes_via_owner.title ?= "Alpha"'])
      expect(await hears({ filter })).toEqual([1, rule, 'apart for null', record])
    expect(await hears({ expand: 'folder.notes_via_folder' })).toEqual([
      1,
      record,
      'at once',
      'apart for null',
    ])
  })

  /**
   * @returns the recipients of deletions in one transaction, if every check of the clock takes
   *   `look` ms
   */
  async function deleted(audiences: readonly Audience[], ids: readonly string[], look = 30) {
    let now = 0
    const clock = () => (now += look)
    return db.transaction(async (tx: Transaction) => {
      const heard = []
      const spent = { time: 0, checked: 0 }
      for (const id of ids) {
        const said = await deleteEvents({ ...note(id), db: tx }, audiences, fail, spent, clock)
        heard.push(said.flatMap(({ to }) => to.map(([, , account]) => account)))
      }
      return heard
    })
  }

  test('a transaction spends limited time on its deletions, on each viewer in turn', async () => {
    const [first = [], second] = await deleted(
      [...filtered(bob, 40), ...filtered(undefined, 1), audience(ann, {})],
      ['n1', 'n4'],
    )
    expect(first).toContain('ann')
    expect(first).toContain('')
    expect(first.length).toBeGreaterThan(2)
    expect(first.length).toBeLessThan(8)
    expect(second).toEqual([])
  })

  test('a few receive deletions even on a slow machine', async () => {
    const few = [audience(ann, {}), audience(undefined, {})]
    expect(await deleted(few, ['n1', 'n4', 'n5'], 1000)).toEqual([['ann', ''], ['ann', ''], []])
  })

  test('each transaction has its own time', async () => {
    expect(await deleted([audience(ann, {})], ['n1'])).toEqual([['ann']])
    expect(await deleted([audience(ann, {})], ['n1'])).toEqual([['ann']])
  })

  test('a viewer’s expanded relations are limited for all its subscriptions together', async () => {
    const title = 'x'.repeat(3000)
    const more = Array.from({ length: 600 }, (_, i) => ({ id: `m${i}`, owner: 'ann', title }))
    await storeRecord(
      db,
      'notes',
      more.map((note) => ({ ...note, folder: 'open' })),
    )
    const expand = 'folder.notes_via_folder'
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((fields) => audience(ann, { expand, fields }))
    const heard = await visibleTo(note('m1'), [...all, audience(bob, { expand })], fail, {
      concurrency: 1,
    })
    // Each takes 1.8 of a viewer's eight million characters.
    expect(heard.map(([{ viewer }]) => viewer?.id)).toEqual(['ann', 'ann', 'ann', 'ann', 'bob'])
  })

  test('a record that is too large to select fields of is sent to nobody', async () => {
    const title = 'x'.repeat(5000)
    const more = Array.from({ length: 600 }, (_, i) => ({ id: `l${i}`, owner: 'ann', title }))
    await storeRecord(
      db,
      'notes',
      more.map((note) => ({ ...note, folder: 'open' })),
    )
    const expand = 'folder.notes_via_folder'
    const both = [audience(ann, { expand, fields: 'a' }), audience(bob, { expand })]
    const heard = await visibleTo(note('l1'), both, fail, { concurrency: 1 })
    expect(heard.map(([{ viewer }]) => viewer?.id)).toEqual(['bob'])
  })
})
