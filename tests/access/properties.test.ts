import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { expands } from './oracle.ts'
import {
  hiddenIds,
  library,
  rowsOf,
  visibleTo,
  replaceRows,
  type AnyRecord,
  type CollectionName,
  type Rows,
} from './random-library.ts'
import { listQuery, type ListQuery } from './random-requests.ts'
import { askAs, openFixture, path, type Reader, type Fixture } from './fixture.ts'

interface List {
  items: AnyRecord[]
  page: number
  perPage: number
  totalItems: number
  totalPages: number
}

const flipped = {
  profile: 'settings',
  shelf: 'bookshelves',
  activity: 'activities',
  move: 'user_books',
  drop: 'user_books',
  clear: 'bookshelves',
} as const satisfies Record<string, CollectionName>

/** A change that shows or hides something, by the one whose it is. `which` picks the record. */
const flip = fc.record({
  kind: fc.constantFrom(...(Object.keys(flipped) as (keyof typeof flipped)[])),
  which: fc.nat(11),
  other: fc.nat(7),
})
type Flip = typeof flip extends fc.Arbitrary<infer T> ? T : never

const who = fc.constantFrom(-1, 0, 1, 2, 3)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ who, question: listQuery }) },
  { weight: 1, arbitrary: fc.record({ flip }) },
)

/** What was answered, and what had to be. */
type Outcome = [got: unknown, wanted: unknown]

/** Libraries; each is asked 25 things. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 24)

describeMigratedDatabases('any library, asked anything', (open) => {
  let fixture: Fixture
  let readers: Reader[]

  beforeAll(async () => {
    fixture = await openFixture(await open())
    readers = []
    for (const name of ['una', 'dos', 'tres', 'cuatro']) readers.push(await fixture.reader(name))
    return () => fixture.close()
  })

  test(
    'R25: shows all that may be seen and no trace of the rest',
    { timeout: 120_000 },
    async () => {
      const steps = fc.array(step, { minLength: 25, maxLength: 25 })
      await fc.assert(
        fc.asyncProperty(library, steps, async (plan, todo) => {
          let rows = rowsOf(plan, readers)
          await replaceRows(fixture.database, rows)
          for (const one of todo) {
            if ('flip' in one) {
              rows = await change(rows, one.flip)
              continue
            }
            const [got, wanted] = await listed(rows, one.who, one.question)
            expect(got).toEqual(wanted)
            const [seen, toSee] = await viewed(rows, one.who, one.question)
            expect(seen).toEqual(toSee)
          }
        }),
        { numRuns: runs },
      )
    },
  )

  const sightOf = (rows: Rows, viewer: number) => visibleTo(rows, readers[viewer]?.id ?? '')

  async function listed(rows: Rows, viewer: number, asked: ListQuery): Promise<Outcome> {
    const { collection, page, perPage, skipTotal } = asked
    const address = `${path(collection)}?${asked.query}`
    const { status, text } = await askAs(fixture, readers[viewer], 'GET', address)
    const told = { viewer, address: decodeURIComponent(address) }
    if (status !== 200)
      return [
        { told, status, text },
        { told, status: 200 },
      ]

    const seen = sightOf(rows, viewer)
    const { items, ...envelope } = JSON.parse(text) as List
    const expected = seen.all(collection).filter((item) => asked.holds(item, seen))
    const totalItems = skipTotal ? -1 : expected.length
    const totalPages = skipTotal ? -1 : Math.ceil(totalItems / perPage)
    const ids = items.map((item) => item.id)
    const [order, wantedOrder] = ordered(asked, expected, ids, viewer, rows)
    const whole = asked.query.get('fields') ? [] : items
    const expand = whole.map((item) => expandOf(item, asked))
    const wantedExpand = whole.map((item) => {
      const stored = rows[collection].find(({ id }) => id === item.id)!
      return asked.expand.map((name) => expands[collection][name]!(stored, seen))
    })
    return [
      { told, traces: traces(rows, viewer, text), ...envelope, order, expand },
      {
        told,
        traces: [],
        page,
        perPage,
        totalItems,
        totalPages,
        order: wantedOrder,
        expand: wantedExpand,
      },
    ]
  }

  /** The page's ids: in their order where one was asked for, else as many of the right ones. */
  function ordered(
    { key, descending, page, perPage }: ListQuery,
    expected: AnyRecord[],
    ids: string[],
    viewer: number,
    rows: Rows,
  ): Outcome {
    const from = (page - 1) * perPage
    if (key) {
      const seen = sightOf(rows, viewer)
      const sign = descending ? -1 : 1
      const order = (a: AnyRecord, b: AnyRecord) =>
        compare(key(a, seen), key(b, seen)) * sign || compare(a.id, b.id)
      const sorted = expected.toSorted(order).slice(from, from + perPage)
      return [ids, sorted.map((item) => item.id)]
    }
    const all = new Set(expected.map((item) => item.id))
    const count = Math.max(0, Math.min(perPage, expected.length - from))
    return [
      { wrong: ids.filter((id) => !all.has(id)), count: new Set(ids).size },
      { wrong: [], count },
    ]
  }

  /** A record by its id: there, or as one that never was. */
  async function viewed(rows: Rows, viewer: number, { collection, page }: ListQuery) {
    const all = rows[collection]
    const id = all[page % Math.max(all.length, 1)]?.id ?? 'aaaaaaaaaaaaaaa'
    const get = (one: string) => askAs(fixture, readers[viewer], 'GET', path(collection, one))
    const answer = await get(id)
    const isSeen = sightOf(rows, viewer)
      .all(collection)
      .some((item) => item.id === id)
    const told = { viewer, collection, id }
    const outcome: Outcome = isSeen
      ? [
          {
            told,
            id: (JSON.parse(answer.text) as AnyRecord).id,
            traces: traces(rows, viewer, answer.text),
          },
          { told, id, traces: [] },
        ]
      : [
          { told, ...answer },
          { told, ...(await get('bbbbbbbbbbbbbbb')), status: 404 },
        ]
    return outcome
  }

  /** What an answer tells that is hidden from who asked. */
  function traces(rows: Rows, viewer: number, text: string): string[] {
    const addresses = readers.filter((_, i) => i !== viewer).map(({ email }) => email)
    const secrets = ['tokenKey', 'password']
    const hidden = hiddenIds(rows, sightOf(rows, viewer))
    return [...hidden, ...addresses, ...secrets].filter((trace) => text.includes(trace))
  }

  /** Does it as its reader does, and says what is there then. */
  async function change(rows: Rows, { kind, which, other }: Flip): Promise<Rows> {
    const name = flipped[kind]
    const item = rows[name][which % Math.max(rows[name].length, 1)]
    if (!item) return rows
    const reader = readers.find(({ id }) => id === item['user'])
    const isGone = kind === 'drop' || kind === 'clear'
    const shelves = rows.bookshelves.filter((shelf) => shelf['user'] === item['user'])
    const bodies = {
      profile: { isPrivate: !item['isPrivate'] },
      shelf: { visibility: item['visibility'] === 'public' ? 'private' : 'public' },
      activity: { isPrivate: !item['isPrivate'] },
      move: { shelf: shelves[other % shelves.length]?.id },
    }
    const body = isGone ? undefined : bodies[kind]
    const method = isGone ? 'DELETE' : 'PATCH'
    const { status, text } = await askAs(fixture, reader, method, path(name, item.id), body)
    expect(status, text).toBe(isGone ? 204 : 200)
    if (isGone) return without(rows, name, item.id)
    const after = rows[name].map((one) => (one === item ? { ...one, ...body } : one))
    return { ...rows, [name]: after }
  }
})

/** The ids that a record's relations were expanded to. */
function expandOf(item: AnyRecord, { expand }: ListQuery) {
  const given = (item['expand'] ?? {}) as Record<string, AnyRecord | AnyRecord[]>
  return expand.map((name) => {
    const value = given[name]
    return Array.isArray(value) ? value.map(({ id }) => id).sort() : value?.id
  })
}

/** Books go with their shelf; what happened stays, with nothing where the deleted one was. */
function without(rows: Rows, name: CollectionName, id: string): Rows {
  const books = rows.user_books.filter((book) => book['shelf'] === id)
  const gone = new Set<unknown>([id, ...books.map((book) => book.id)])
  const kept = (items: AnyRecord[]) => items.filter((item) => !gone.has(item.id))
  return {
    ...rows,
    bookshelves: name === 'bookshelves' ? kept(rows.bookshelves) : rows.bookshelves,
    user_books: kept(rows.user_books),
    activities: rows.activities.map((event) => ({
      ...event,
      book: gone.has(event['book']) ? '' : event['book'],
      shelf: gone.has(event['shelf']) ? '' : event['shelf'],
    })),
  }
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b)
}
