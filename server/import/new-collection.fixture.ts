import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collection, Schema, tableSql, type Collection, type Database } from '#records/index.ts'
import { textIn, withLife } from '#server/collections/life.ts'
import { created, own, owner, ownersWrite, trashLife, updated } from '#server/collections/rules.ts'
import type { parseInThread } from './parse.ts'
import { openImportFile } from './read.ts'

/** A collection and a field that nothing in the server knows by name. */
const loans = withLife(
  collection({
    name: 'loans',
    trashLife,
    fields: [
      owner,
      { name: 'book', type: 'relation', collection: 'user_books', cascadeDelete: true },
      { name: 'borrower', type: 'text' },
      { name: 'until', type: 'date' },
      created,
      updated,
    ],
    rules: { list: own, view: own, ...ownersWrite },
  }),
  {
    cleared: true,
    imported: {
      title: (values) => textIn(values, 'borrower'),
      identity: ['book', 'borrower'],
    },
  },
)
const colour = { name: 'colour', type: 'text' } as const

/** @returns the schema with the collection, and quotes with the field */
export function extended<C extends Collection>({ collections }: Schema<C>): Schema<C> {
  const withColour = collections.map((one) =>
    one.name === 'quotes' ? { ...one, fields: [...one.fields, colour] } : one,
  )
  return new Schema([...withColour, loans] as unknown as C[])
}

/** Makes their table and column, as a migration would. */
export async function migrate(database: Database): Promise<void> {
  const colourSql = `ALTER TABLE quotes ADD COLUMN colour TEXT NOT NULL DEFAULT ''`
  await database.transaction(async (tx) => {
    for (const statement of [...tableSql(loans, tx.dialect), colourSql]) await tx.query(statement)
  })
}

/** Reads a file without a thread, which would know only the declarations on disk. */
export const parseHere: typeof parseInThread = async (content, order) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-parse-'))
  const path = join(folder, 'file')
  await writeFile(path, content)
  const { rows, ...head } = await openImportFile(path, order)
  const left = rows()[Symbol.asyncIterator]()
  return {
    ...head,
    size: (await stat(path)).size,
    rows: async () => {
      const { done, value } = await left.next()
      return done ? [] : [{ ...value, earlier: null }]
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
