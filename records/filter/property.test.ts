import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { createTables, requestOf, schema, storeRecord } from '../records.fixture.ts'
import { listRecords } from '../read/read.ts'
import { isMultiple } from '../schema/field.ts'
import type { StoredRecord } from '../schema/values.ts'
import { satisfies, sortRows, type Item, type VisibleRows } from './evaluator.fixture.ts'
import { lex } from './lexer.ts'
import { parse } from './parser.ts'
import { FilterError } from './tree.ts'

const id = (prefix: string, n: number) => fc.integer({ min: 0, max: n - 1 }).map((i) => prefix + i)
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'ab',
    'aB_',
    '5',
    '10',
    'x%y',
    'x\\',
    '\\%',
    'é',
    'É',
    '\u{FF5E}',
    '\u{1D538}',
    '~',
  ),
  fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'B', '%', '_', '\\', 'é', '"', "'", '\n') }),
)
const number = fc.constantFrom(0, 1, -1, 2, 5, 10, 0.5, 4.25)
const json = fc.oneof(
  fc.constant(null),
  text,
  number,
  fc.boolean(),
  fc.array(text, { maxLength: 3 }),
  fc.record({
    k: fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.array(number, { maxLength: 2 })),
  }),
)

const moment = fc.oneof(
  fc.constantFrom(
    '',
    '2026-01-31 13:04:05.678Z',
    '2024-02-29 00:00:00.000Z',
    '2021-01-03 23:59:59.999Z',
    '2020-12-31 12:00:00.000Z',
    '9999-12-31 23:59:59.999Z',
    '0001-01-01 00:00:00.000Z',
  ),
  fc
    .date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().replace('T', ' ')),
)
const specifier = fc.constantFrom(...'deFfGgHIjJklmMpPRsSTuUVwWY%').map((letter) => `%${letter}`)
const modifier = fc.constantFrom(
  '+1 month',
  '-11 months',
  '1 years',
  '-40 days',
  '12 hours',
  'start of day',
  'start of month',
  'start of year',
  'weekday 0',
  'weekday 4',
)
const strftime = fc
  .tuple(
    fc.array(fc.oneof(specifier, fc.constantFrom('-', "x'", 'é ')), { maxLength: 3 }),
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('due', 'due', 'title', 'data.k', 'owner.notes_via_owner.due'),
      },
      { weight: 1, arbitrary: moment.map((text) => JSON.stringify(text)) },
    ),
    fc.array(modifier, { maxLength: 3 }),
  )
  .map(([format, time, modifiers]) => {
    const rest = modifiers.map((text) => `, "${text}"`).join('')
    return `strftime(${JSON.stringify(format.join(''))}, ${time}${rest})`
  })
const degree = fc.constantFrom(
  'place.lon',
  'place.lat',
  'stars',
  'data.k',
  'owner.score',
  '10',
  '-3.5',
)
const geoDistance = fc
  .tuple(degree, degree, degree, degree)
  .map((degrees) => `geoDistance(${degrees.join(', ')})`)

const data = fc.record({
  people: fc.array(fc.record({ name: text, score: number }), { minLength: 3, maxLength: 3 }),
  card: fc.array(fc.record({ hidden: fc.boolean() }), { minLength: 2, maxLength: 3 }),
  folders: fc.array(
    fc.record({
      name: text,
      secret: fc.boolean(),
      owner: id('p', 4),
      parent: fc.oneof(fc.constant(''), id('f', 5)),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  tags: fc.array(fc.record({ name: text, weight: number }), { minLength: 3, maxLength: 3 }),
  notes: fc.array(
    fc.record({
      owner: fc.oneof(fc.constant(''), id('p', 3)),
      title: text,
      stars: number,
      done: fc.boolean(),
      data: json,
      due: moment,
      place: fc.record({
        lon: fc.constantFrom(0, -180, 180, 13.4, 2.35, -0.125),
        lat: fc.constantFrom(0, -90, 90, 52.5, 48.85, -33.9),
      }),
      kinds: fc.subarray(['a', 'b', 'c']),
      folder: fc.oneof(fc.constant(''), id('f', 5)),
      tags: fc.uniqueArray(id('t', 4), { maxLength: 3 }),
    }),
    { minLength: 6, maxLength: 6 },
  ),
})

const paths = [
  'title',
  'title:lower',
  'stars',
  'done',
  'data',
  'data.k',
  'data.0',
  'due',
  'place.lon',
  'place',
  'kinds',
  'kinds:each',
  'kinds:length',
  'folder',
  'folder:length',
  'folder.id',
  'folder.name',
  'folder.secret',
  'folder.parent.name',
  'folder.owner.name',
  'owner.name',
  'owner.name:lower',
  'owner.score',
  'owner.email',
  'owner.card_via_owner.hidden',
  'owner.folders_via_owner.name',
  'owner.folders_via_owner.secret',
  'owner.folders_via_owner.parent.name',
  'owner.notes_via_owner.stars',
  'tags',
  'tags.name',
  'tags.weight',
  'tags.id',
  'tags:each',
  'tags:length',
  'data:lower',
  'stars:lower',
]
const path = fc.constantFrom(...paths)
const callComparison = fc.oneof(
  fc
    .tuple(
      strftime,
      fc.constantFrom('=', '!=', '<', '>=', '~', '?=', '?!='),
      fc.oneof(
        strftime,
        fc.constantFrom('"2026"', '"01"', '"2"', '""', 'null', 'title', '2026', '"2026-01-31"'),
      ),
    )
    .map((parts) => parts.join(' ')),
  // Two ways to compute a distance agree to the millimetre, not to the last bit.
  fc
    .tuple(
      geoDistance,
      fc.constantFrom('<', '>', '?<'),
      fc.constantFrom('0.5', '877.4', '5000.25', '14000.1', 'null'),
    )
    .map((parts) => parts.join(' ')),
)
const literal = fc.oneof(
  text.map((t) => JSON.stringify(t)),
  number.map(String),
  fc.constantFrom('null', 'true', 'false'),
)
const operator = fc
  .tuple(fc.constantFrom('', '?'), fc.constantFrom('=', '!=', '>', '>=', '<', '<=', '~', '!~'))
  .map((parts) => parts.join(''))
const comparison = fc
  .tuple(
    path,
    operator,
    fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: path }),
    fc.boolean(),
  )
  .map(([a, op, b, turned]) => (turned ? `${b} ${op} ${a}` : `${a} ${op} ${b}`))
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: comparison },
    { weight: 1, arbitrary: callComparison },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter'))
        .map(([a, join, b]) => `(${a}) ${join} (${b})`),
    },
  ),
}))

type Data = typeof data extends fc.Arbitrary<infer T> ? T : never

/** A second implementation of what a viewer may list, without the rules. */
function worldOf(
  rows: Record<keyof Data, StoredRecord[]>,
  viewer: string,
): VisibleRows & { visible: Set<Item> } {
  const find = (items: StoredRecord[], wanted: unknown) => items.find((item) => item.id === wanted)
  const isOpen = (owner: unknown) =>
    Boolean(find(rows.people, owner)) &&
    rows.card.some((card) => card.owner === owner && card.hidden === false)
  const isOwn = (item: StoredRecord) => item.owner === viewer
  const visible = new Set<Item>([
    ...rows.people.filter((p) => p.id === viewer || isOpen(p.id)),
    ...rows.card.filter(isOwn),
    ...rows.folders.filter((f) => isOwn(f) || (f.secret === false && isOpen(f.owner))),
    ...rows.tags,
    ...rows.notes.filter(
      (n) => isOwn(n) || (find(rows.folders, n.folder)?.secret === false && isOpen(n.owner)),
    ),
  ])
  const collections: Record<string, keyof Data> = {
    owner: 'people',
    folder: 'folders',
    parent: 'folders',
    tags: 'tags',
  }
  const targetOf = (hop: string) => collections[hop] ?? (hop.split('_via_')[0] as keyof Data)
  return {
    visible,
    related(item, hop) {
      const target = rows[targetOf(hop)]
      const back = hop.includes('_via_')
      const items = back
        ? target.filter((other) => other.owner === item.id)
        : [item[hop]].flat().map((wanted) => find(target, wanted))
      const many = hop === 'tags' || (back && !hop.startsWith('card'))
      const seen =
        hop === 'tags'
          ? items.map((found) => found ?? null)
          : items.filter((found) => found && visible.has(found))
      return { items: seen as Item[], many }
    },
    type(hops, field) {
      const collection = schema.get(hops.length ? targetOf(hops.at(-1)!) : 'notes')
      const found = collection.fields.find((f) => f.name === field)!
      if (isMultiple(found)) return 'list'
      if (found.type === 'geoPoint') return 'json'
      return found.type === 'json' || found.type === 'number' || found.type === 'bool'
        ? found.type
        : 'text'
    },
  }
}

async function fill(db: Database, generated: Data): Promise<Record<keyof Data, StoredRecord[]>> {
  const name = (prefix: string) => (item: object, i: number) => ({ id: `${prefix}${i}`, ...item })
  return {
    people: await storeRecord(db, 'people', generated.people.map(name('p'))),
    card: await storeRecord(
      db,
      'card',
      generated.card.map((card, i) => ({ id: `c${i}`, owner: `p${i}`, ...card })),
    ),
    folders: await storeRecord(db, 'folders', generated.folders.map(name('f'))),
    tags: await storeRecord(db, 'tags', generated.tags.map(name('t'))),
    notes: await storeRecord(db, 'notes', generated.notes.map(name('n'))),
  }
}

const sort = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom(...paths.filter((p) => !p.includes('email'))),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => terms.map((term) => term.join('')).join(','))

const runs = Number(process.env.PROPERTY_RUNS ?? 40)

describeDatabases('any filter', (open) => {
  test(
    'R27: finds what a plain evaluator of the language finds',
    { timeout: 600_000 },
    async () => {
      const db = await open()
      await createTables(db)
      let answered = 0
      await fc.assert(
        fc.asyncProperty(
          data,
          fc.array(fc.tuple(filter, sort), { minLength: 10, maxLength: 10 }),
          fc.constantFrom('', 'p0', 'p1'),
          async (generated, wishes, viewer) => {
            for (const name of Object.keys(generated))
              await db.transaction((tx) => tx.query(`DELETE FROM ${name}`))
            const rows = await fill(db, generated)
            const world = worldOf(rows, viewer)
            const request = requestOf(rows.people.find((p) => p.id === viewer))
            for (const [wanted, order] of wishes) {
              const { tokens, literals } = lex(wanted)
              const tree = parse(tokens)
              const expected = rows.notes.filter(
                (note) => world.visible.has(note) && satisfies(world, note, tree, literals),
              )
              const found = await list(db, request, wanted, order).catch(refusedAsTooMany)
              if (!found) continue
              answered++
              expect({ wanted, order, ...found }).toEqual({
                wanted,
                order,
                ids: sortRows(world, expected, order).map((note) => note.id),
                total: expected.length,
              })
            }
          },
        ),
        { numRuns: runs },
      )
      expect(answered).toBeGreaterThan(runs * 5)
    },
  )

  test(
    'R27: is answered or refused with 400, whatever its text',
    { timeout: 600_000 },
    async () => {
      const db = await open()
      await createTables(db)
      const token = fc.oneof(
        path,
        literal,
        operator,
        fc.constantFrom(
          '&&',
          '||',
          '(',
          ')',
          '//',
          '\n',
          "'",
          '"',
          '\\',
          '@now',
          '@request.auth.id',
          '@collection.vault.word',
          'hint',
          'a.b.c',
          '\0',
          '\uD800',
          '-',
          '.',
          '5.',
          ':each',
          'geoDistance(1,2,3,4)',
          'geoDistance(',
          'strftime(',
          'strftime("%Y", due, "+1 month")',
          'strftime("%q", due)',
          'strftime("%Y-%m", strftime("%F", strftime("%F", due)))',
          '"%J"',
          '"unixepoch"',
          ',',
          'vault_via_owner.word',
          'owner.vault_via_owner.word',
          'constructor',
          '__proto__',
        ),
        fc.string({ maxLength: 5 }),
      )
      const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' '))
      await fc.assert(
        fc.asyncProperty(fc.oneof(soup, fc.string()), soup, async (wanted, sort) => {
          for (const params of [
            { filter: wanted, sort: '' },
            { filter: '', sort },
          ]) {
            const status = await list(db, requestOf(), params.filter, params.sort).then(
              () => 200,
              (error: unknown) => (error instanceof ApiError ? error.status : error),
            )
            expect([200, 400]).toContain(status)
          }
        }),
        { numRuns: runs * 25 },
      )
    },
  )
})

/** Some generated filters exceed a client's limits. */
function refusedAsTooMany(error: unknown): undefined {
  if (error instanceof FilterError && /many|every/.test((error.cause as Error).message)) return
  throw error
}

async function list(
  db: Database,
  request: ReturnType<typeof requestOf>,
  wanted: string,
  sort = '',
) {
  const params = { page: 1, perPage: 30, skipTotal: false, sort, filter: wanted }
  const { json, totalItems } = await listRecords(db, schema, schema.get('notes'), request, params)
  const { items } = JSON.parse(json) as { items: { id: string }[] }
  return { ids: items.map((item) => item.id), total: totalItems }
}
