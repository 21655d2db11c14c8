import { expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { tableSql } from '#records/index.ts'
import { schema } from '#server/library/collections.ts'
import { describeDatabases } from '#tests/databases.ts'
import { migrate, migrations } from './migrate.ts'

describeDatabases('migrations', (open, dialect) => {
  test('every table has the columns of its collection, in order and type', async () => {
    const migrated = await open()
    await migrate(migrated)
    const expected = await open()
    for (const collection of schema.collections) {
      if (collection.type === 'view') continue
      await expected.transaction(async (tx) => {
        for (const statement of tableSql(collection, { name: dialect })) await tx.query(statement)
      })
      expect(await columns(migrated, collection.name), collection.name).toEqual(
        await columns(expected, collection.name),
      )
    }
  })

  test('a migrated database is left alone', async () => {
    const database = await open()
    const done = () => database.query('SELECT number, name FROM _migrations ORDER BY number')
    await migrate(database)
    const steps = await done()
    expect(steps[0]).toEqual([1, 'first'])
    await migrate(database)
    expect(await done()).toEqual(steps)
  })

  test('counts the books and tags that are there', async () => {
    const database = await open()
    await migrate(
      database,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === 'book-totals'),
      ),
    )
    await database.transaction(async (tx) => {
      for (const [id, visibility] of Object.entries({ open: 'public', closed: 'private' }))
        await tx.query(
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', 'a', '${visibility}')`,
        )
      const books = [
        `'1', 'open', 'k1', 'completed', 8, 90, '["Sea","Ports"]', FALSE`,
        `'2', 'closed', 'k1', 'completed', 8, 80, '["Sea","Ports"]', FALSE`,
        `'3', 'open', 'k2', 'reading', 0, 7, '["Sea"]', TRUE`,
        `'4', 'closed', 'k3', 'planning', 6, 0, 'null', FALSE`,
      ]
      for (const book of books)
        await tx.query(`INSERT INTO user_books
          (id, shelf, book_key, status, rating, progress, tags, "isPrivate", "user")
          VALUES (${book}, 'a')`)
    })
    await migrate(database)
    expect(
      await database.query(`SELECT audience, books, books_read, rated, rating_total, pages_read
        FROM book_totals WHERE "user" = 'a' ORDER BY audience`),
    ).toEqual([
      ['others', 1, 1, 1, 8, 90],
      ['owner', 3, 1, 2, 14, 97],
    ])
    expect(
      await database.query(`SELECT audience, tag, books FROM tag_totals WHERE "user" = 'a'
        ORDER BY audience, tag`),
    ).toEqual([
      ['others', 'Ports', 1],
      ['others', 'Sea', 1],
      ['owner', 'Ports', 1],
      ['owner', 'Sea', 2],
    ])
  })

  test('R11: migrates once when processes start together', async () => {
    const database = await open()
    await Promise.all([migrate(database), migrate(database), migrate(database)])
    expect(await database.query('SELECT COUNT(*) - MAX(number) FROM _migrations')).toEqual([[0]])
  })

  test('R11: keeps the steps before one that fails, and nothing of that one', async () => {
    const database = await open()
    const good = { name: 'good', statements: () => ['CREATE TABLE a (id TEXT)'] }
    const bad = { name: 'bad', statements: () => ['CREATE TABLE b (id TEXT)', 'nonsense'] }
    await expect(migrate(database, [good, bad])).rejects.toThrow(/syntax error/)
    await expect(database.query('SELECT * FROM b')).rejects.toThrow(/\bb\b/)
    expect(await database.query('SELECT * FROM a')).toEqual([])
    await migrate(database, [good, { name: 'mended', statements: () => [] }])
    expect(await database.query('SELECT name FROM _migrations ORDER BY number')).toEqual([
      ['good'],
      ['mended'],
    ])
  })

  test('R11: refuses a database newer than the code', async () => {
    const database = await open()
    await migrate(database)
    await expect(migrate(database, [])).rejects.toThrow(/newer Octavo/)
  })
})

/** Name, type, whether NULL is refused, and default, in the table's order. */
async function columns(database: Database, table: string): Promise<unknown[]> {
  return database.dialect.name === 'sqlite'
    ? database.query(
        `SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${table}') ORDER BY cid`,
      )
    : database.query(
        `SELECT column_name, data_type, is_nullable, column_default, collation_name
         FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
      )
}
