import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { UniqueError } from '../database/database.ts'
import { collection } from './collection.ts'
import { tableSql } from './table.ts'

const rules = { list: null, view: null, create: null, update: null, delete: null }
const notes = collection({
  name: 'notes',
  fields: [
    { name: 'shelf', type: 'relation', collection: 'shelves', required: true },
    { name: 'code', type: 'text' },
    { name: 'tags', type: 'relation', collection: 'tags', maxSelect: 2 },
    { name: 'pages', type: 'number' },
    { name: 'isOpen', type: 'bool' },
    { name: 'data', type: 'json' },
  ],
  unique: [['shelf', 'code']],
  rules,
})

it('creates the same table on both databases', () => {
  expect(tableSql(notes, { name: 'sqlite' })).toEqual([
    `CREATE TABLE "notes" ("id" TEXT PRIMARY KEY NOT NULL, "shelf" TEXT NOT NULL DEFAULT '', "code" TEXT NOT NULL DEFAULT '', "tags" TEXT NOT NULL DEFAULT '[]', "pages" DOUBLE PRECISION NOT NULL DEFAULT 0, "isOpen" BOOLEAN NOT NULL DEFAULT FALSE, "data" TEXT NOT NULL DEFAULT 'null')`,
    `CREATE UNIQUE INDEX "notes_shelf_code_unique" ON "notes" ("shelf", "code") WHERE "code" <> ''`,
    `CREATE INDEX "notes_shelf" ON "notes" ("shelf")`,
  ])
  expect(tableSql(notes, { name: 'postgres' })[0]).toContain('"code" TEXT COLLATE "C" NOT NULL')
})

it('refuses a unique index on an unknown field', () => {
  const broken = collection({ name: 'x', fields: [], unique: [['no']], rules })
  expect(() => tableSql(broken, { name: 'sqlite' })).toThrow('x has no field no')
})

it('creates nothing for a view', () => {
  expect(tableSql({ ...notes, type: 'view' }, { name: 'sqlite' })).toEqual([])
})

describeDatabases('a table', (open) => {
  it('has every zero value, and accepts two records with an empty unique field', async () => {
    const database = await open()
    const insert = (id: string, code: string) =>
      database.transaction((tx) =>
        tx.query(`INSERT INTO notes (id, shelf, code) VALUES ('${id}', 's', '${code}')`),
      )
    await database.transaction(async (tx) => {
      for (const statement of tableSql(notes, database.dialect)) await tx.query(statement)
    })
    await insert('a', '')
    await insert('b', '')
    await insert('c', 'x')
    await expect(insert('d', 'x')).rejects.toThrow(UniqueError)
    const [row] = await database.query('SELECT * FROM notes')
    expect(row!.map((column) => (typeof column === 'boolean' ? Number(column) : column))).toEqual([
      'a',
      's',
      '',
      '[]',
      0,
      0,
      'null',
    ])
  })
})
