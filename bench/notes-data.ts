import { DatabaseSync } from 'node:sqlite'
import {
  authTables,
  collection,
  fileTables,
  limitTables,
  openSqlite,
  realtimeTables,
  Schema,
  tableSql,
} from '#records/index.ts'
import { isShort } from './measure.ts'
import { signedIn } from './product.ts'

const own = 'owner = @request.auth.id'
const day = 24 * 60 * 60

/** What the guide of the record service shows: people, and notes that are theirs or open to all. */
export const schema = new Schema([
  collection({
    name: 'people',
    type: 'auth',
    fields: [],
    rules: { list: '', view: '', create: null, update: null, delete: null },
    auth: {
      tokenLife: 14 * day,
      sessionIdle: 14 * day,
      sessionLife: 30 * day,
      otp: { digits: 6, life: 180, tries: 5 },
      mfa: { life: 600 },
    },
  }),
  collection({
    name: 'notes',
    fields: [
      {
        name: 'owner',
        type: 'relation',
        collection: 'people',
        required: true,
        cascadeDelete: true,
        fill: 'viewer',
        writable: 'create',
      },
      { name: 'title', type: 'text', required: true },
      { name: 'body', type: 'text' },
      { name: 'labels', type: 'json' },
      { name: 'stars', type: 'number', min: 0, max: 5 },
      { name: 'open', type: 'bool' },
      { name: 'created', type: 'autodate', onUpdate: false },
      { name: 'updated', type: 'autodate', onUpdate: true },
    ],
    rules: {
      list: `${own} || open = true`,
      view: `${own} || open = true`,
      create: `@request.auth.id != "" && ${own}`,
      update: own,
      delete: own,
    },
  }),
])

const people = isShort ? 8 : 200
const notesEach = 500
const id = (kind: string, n: number) => kind + String(n).padStart(14, '0')
const made = '2026-01-02 03:04:05.678Z'

/**
 * Fills a new database with people and their open notes. Made by counting, so that every run
 * measures the same data.
 *
 * @returns one person, a note of theirs and the token of a session
 */
export async function seedNotes(file: string) {
  const database = openSqlite(file)
  await database.transaction(async (tx) => {
    const { name } = database.dialect
    const service = [authTables, fileTables, limitTables, realtimeTables].flatMap((of) => of(name))
    const tables = schema.collections.flatMap((one) => tableSql(one, database.dialect))
    const index = 'CREATE INDEX notes_owner_stars ON notes (owner, stars DESC, id)'
    for (const statement of [...tables, index, ...service]) await tx.query(statement)
  })
  await database.close()

  const db = new DatabaseSync(file)
  db.exec('BEGIN')
  const person = db.prepare('INSERT INTO people (id, email, "tokenKey") VALUES (?, ?, ?)')
  const note = db.prepare(
    `INSERT INTO notes (id, owner, title, body, labels, stars, open, created, updated)
      VALUES (?, ?, ?, ?, '["home","garden"]', ?, 1, ?, ?)`,
  )
  for (let p = 0; p < people; p++) {
    person.run(id('p', p), `person${p}@example.org`, id('key of ', p).padEnd(30, '.'))
    for (let n = 0; n < notesEach; n++) {
      const body = `What is to be done by person ${p}, item ${n}`
      note.run(id('n', p * notesEach + n), id('p', p), `Note ${n}`, body, n % 6, made, made)
    }
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const owner = id('p', 7)
  const token = await signedIn(file, owner, schema.find('people'))
  return { owner, note: id('n', 7 * notesEach), token }
}
