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
  let last = ''
  return async () => {
    const rows = await query(
      database,
      sql`SELECT id, "user" FROM ${sql.table(collection)} WHERE ${isDue}
        ORDER BY CASE WHEN "user" > ${last} THEN 0 ELSE 1 END, "user", id LIMIT 1`,
    )
    const [found] = named(rows, { id: text, user: text })
    last = found?.user ?? ''
    return found?.id
  }
}
