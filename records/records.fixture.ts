import type { RequestInfo, Viewer } from './filter/request.ts'
import type { Database } from './database/database.ts'
import { insertRow } from './write/rows.ts'
import { sql } from 'kysely'
import { collection, Schema } from './schema/collection.ts'
import { tableSql } from './schema/table.ts'
import { zeroValue, type StoredRecord } from './schema/values.ts'

/** People keep notes in folders; each person, folder and note can be private to its owner. */

const owner = { name: 'owner', type: 'relation', collection: 'people' } as const
const own = 'owner = @request.auth.id'
const shown = `${own} || (secret = false && owner.card_via_owner.hidden = false)`

export const schema = new Schema([
  collection({
    name: 'people',
    type: 'auth',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'score', type: 'number' },
      { name: 'code', type: 'text', readable: 'nobody' },
    ],
    rules: {
      list: 'id = @request.auth.id || card_via_owner.hidden = false',
      view: 'id = @request.auth.id || card_via_owner.hidden = false',
      create: '',
      update: 'id = @request.auth.id',
      delete: null,
    },
  }),
  collection({
    name: 'card',
    fields: [owner, { name: 'hidden', type: 'bool' }],
    unique: [['owner']],
    rules: { list: own, view: own, create: null, update: own, delete: null },
  }),
  collection({
    name: 'folders',
    fields: [
      owner,
      { name: 'name', type: 'text' },
      { name: 'secret', type: 'bool' },
      { name: 'parent', type: 'relation', collection: 'folders' },
    ],
    rules: { list: shown, view: shown, create: own, update: own, delete: own },
  }),
  collection({
    name: 'tags',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'weight', type: 'number' },
    ],
    rules: { list: '', view: '', create: null, update: null, delete: null },
  }),
  collection({
    name: 'vault',
    fields: [owner, { name: 'word', type: 'text' }],
    rules: { list: null, view: null, create: null, update: null, delete: null },
  }),
  collection({
    name: 'digest',
    type: 'view',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'person', type: 'relation', collection: 'people' },
      { name: 'mark', type: 'text' },
      { name: 'open', type: 'bool' },
      { name: 'folders', type: 'number' },
    ],
    rules: {
      list: 'id = @request.auth.id || open = true',
      view: 'id = @request.auth.id || open = true',
      create: null,
      update: null,
      delete: null,
    },
    select: (viewer) => sql`SELECT p.id, p.name, p.id AS person,
      CASE WHEN p.score > 2 THEN p.name ELSE LOWER(p.name) END AS mark, COALESCE(NOT c.hidden, FALSE) AS open,
      CAST((SELECT COUNT(*) FROM folders f WHERE f.owner = p.id
        AND (NOT f.secret OR p.id = ${viewer})) AS DOUBLE PRECISION) AS folders
      FROM people p LEFT JOIN card c ON c.owner = p.id`,
  }),
  collection({
    name: 'notes',
    fields: [
      owner,
      { name: 'title', type: 'text' },
      { name: 'stars', type: 'number' },
      { name: 'done', type: 'bool' },
      { name: 'due', type: 'date' },
      { name: 'data', type: 'json' },
      { name: 'place', type: 'geoPoint' },
      { name: 'kinds', type: 'select', values: ['a', 'b', 'c'], maxSelect: 3 },
      { name: 'folder', type: 'relation', collection: 'folders' },
      { name: 'tags', type: 'relation', collection: 'tags', maxSelect: 9 },
      { name: 'hint', type: 'text', readable: 'nobody' },
      { name: 'created', type: 'autodate', onUpdate: false },
    ],
    rules: {
      list: `${own} || (folder.secret = false && owner.card_via_owner.hidden = false)`,
      view: `${own} || (folder.secret = false && owner.card_via_owner.hidden = false)`,
      create: `@request.auth.id != "" && ${own} && (folder = "" || folder.owner = @request.auth.id)`,
      update: `${own} && @request.body.owner:changed = false`,
      delete: own,
    },
  }),
])

/** @returns the request of a visitor, or of a person */
export function requestOf(person?: StoredRecord, more: Partial<RequestInfo> = {}): RequestInfo {
  const people = schema.get('people')
  const viewer: Viewer | null = person
    ? {
        id: person.id,
        collectionId: people.id,
        collectionName: people.name,
        session: 's',
        record: person,
      }
    : null
  return { context: 'default', method: 'GET', query: {}, headers: {}, body: {}, viewer, ...more }
}

export async function createTables(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    for (const c of schema.collections)
      for (const statement of tableSql(c, db.dialect)) await tx.query(statement)
  })
}

/** Stores records without rules or checks. Missing fields get their zero values. */
export async function storeRecord(
  db: Database,
  name: string,
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const { fields } = schema.get(name)
  const whole = records.map((record): StoredRecord => {
    const zeros = Object.fromEntries(fields.map((field) => [field.name, zeroValue(field)]))
    const email =
      name === 'people' ? { email: `${record.id}@example.org`, tokenKey: record.id } : {}
    return { ...zeros, ...email, ...record }
  })
  await db.transaction(async (tx) => {
    for (const record of whole) await insertRow(tx, schema.get(name), record)
  })
  return whole
}

/**
 * Creates the tables and some records. Ann's profile is public, Bob's isn't. Ann's folder `open` is
 * public, `shut` is private. Everything hidden contains "canary".
 */
export async function seedRecords(db: Database): Promise<{ ann: StoredRecord; bob: StoredRecord }> {
  await createTables(db)
  const [ann, bob] = await storeRecord(db, 'people', [
    { id: 'ann', name: 'Ann', score: 3, code: 'canary' },
    { id: 'bob', name: 'Bob canary', score: 1, code: 'canary' },
  ])
  await storeRecord(db, 'card', [
    { id: 'ca', owner: 'ann' },
    { id: 'cb', owner: 'bob', hidden: true },
  ])
  await storeRecord(db, 'folders', [
    { id: 'open', owner: 'ann', name: 'Open' },
    { id: 'shut', owner: 'ann', name: 'Shut canary', secret: true, parent: 'open' },
    { id: 'under', owner: 'ann', name: 'Under', parent: 'shut' },
    { id: 'bobs', owner: 'bob', name: 'Bobs canary' },
  ])
  await storeRecord(db, 'tags', [
    { id: 'red', name: 'Red', weight: 1 },
    { id: 'blue', name: 'Blue', weight: 2 },
  ])
  await storeRecord(db, 'vault', [{ id: 'v', owner: 'ann', word: 'canary' }])
  const data = { deep: [1, 'x'] }
  await storeRecord(db, 'notes', [
    {
      id: 'n1',
      owner: 'ann',
      folder: 'open',
      title: 'Alpha',
      stars: 5,
      tags: ['red', 'blue'],
      data,
    },
    {
      id: 'n2',
      owner: 'ann',
      folder: 'shut',
      title: 'canary',
      stars: 4,
      tags: ['red'],
      data: ['one'],
    },
    { id: 'n3', owner: 'bob', folder: 'bobs', title: 'canary too', stars: 3, data: 'word' },
    {
      id: 'n4',
      owner: 'ann',
      folder: 'open',
      title: 'alpha <b>&',
      due: '2026-01-02 03:04:05.678Z',
    },
    {
      id: 'n5',
      owner: 'ann',
      folder: 'under',
      title: 'Deep',
      stars: 4,
      kinds: ['a', 'b'],
      done: true,
    },
  ])
  return { ann: ann!, bob: bob! }
}

/** {@link seedRecords}, returning its two people as viewers. */
export async function seedViewers(db: Database): Promise<{ ann: RequestInfo; bob: RequestInfo }> {
  const { ann, bob } = await seedRecords(db)
  return { ann: requestOf(ann), bob: requestOf(bob) }
}
