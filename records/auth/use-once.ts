import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { modify } from '../database/query.ts'

/**
 * Notes that something was used that works only once, such as a signed token.
 *
 * @param key tells it from all others
 * @param life milliseconds after which it can't be valid any more
 * @returns false if it had been used before
 */
export async function useOnce(
  tx: Transaction,
  key: string,
  life: number,
  now: number,
): Promise<boolean> {
  const id = createHash('sha256').update(key).digest('hex')
  await modify(tx, '_usedTokens', sql`DELETE FROM "_usedTokens" WHERE expires <= ${now}`)
  const used = await modify(
    tx,
    '_usedTokens',
    sql`INSERT INTO "_usedTokens" (id, expires) VALUES (${id}, ${now + life}) ON CONFLICT (id) DO NOTHING RETURNING id`,
  )
  return used.length > 0
}
