import { sql, type RawBuilder } from 'kysely'
import { named, text, type Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'

/**
 * Finds records of which something is to be done, such that no reader's hold up those of another:
 * after one of a reader comes one of the next.
 *
 * @param isDue a condition on the record
 * @returns a function that finds the id of the next one
 */
export function inTurn(
  database: Database,
  collection: 'device_books' | 'device_files',
  isDue: RawBuilder<unknown>,
): () => Promise<string | undefined> {
  const after = async (user: string) => {
    const rows = await query(
      database,
      sql`SELECT id, "user" FROM ${sql.table(collection)}
        WHERE ${isDue} AND "user" > ${user} ORDER BY "user", id LIMIT 1`,
    )
    return named(rows, { id: text, user: text })[0]
  }
  let last = ''
  return async () => {
    const found = (await after(last)) ?? (last ? await after('') : undefined)
    last = found?.user ?? ''
    return found?.id
  }
}
