import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { openPostgres } from '#records/index.ts'
import { migrate } from '#server/migrations/migrate.ts'

/** What {@link seed} and {@link signedIn} fill. */
const tables = ['users', 'settings', 'bookshelves', 'user_books', '_sessions']
const atOnce = 5000

/**
 * Fills a new, empty PostgreSQL database with the same records as a seeded SQLite file.
 *
 * @param url address of the database
 */
export async function copyToPostgres(file: string, url: string): Promise<void> {
  const database = await openPostgres(url)
  await migrate(database)
  await database.close()
  const from = new DatabaseSync(file, { readOnly: true })
  const to = new Client(url)
  await to.connect()
  try {
    for (const table of tables) {
      const columns = from.prepare('SELECT name FROM pragma_table_info(?)').all(table)
      const names = columns.map(({ name }) => `"${String(name)}"`).join()
      const insert = `INSERT INTO ${table} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`
      let rows: unknown[] = []
      const send = async () => {
        await to.query(insert, [JSON.stringify(rows)])
        rows = []
      }
      for (const row of from.prepare(`SELECT ${names} FROM ${table}`).iterate())
        if (rows.push(row) === atOnce) await send()
      await send()
    }
    await to.query('VACUUM ANALYZE')
  } finally {
    from.close()
    await to.end()
  }
}
