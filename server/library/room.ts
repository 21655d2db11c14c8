import { sql } from 'kysely'
import { ApiError, failedTo, named, number, prepared } from '#records/index.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { fieldError } from '#server/http/field-error.ts'

/**
 * For records of which a reader has few.
 *
 * @param most.max how many a reader can have
 * @param most.field the one that says so, by `rule`
 * @returns refuses another one of a reader, who is locked: two at once don't both find room
 * @throws ApiError 400
 */
export function roomFor(
  collection: 'connections' | 'webhooks' | 'api_tokens',
  most: { max: number; field: string; rule: Parameters<typeof fieldError>[0] },
): (tx: LibraryTransaction, user: string) => Promise<void> {
  const countOf = prepared<{ user: unknown }>(
    (value) => sql`SELECT COUNT(*) FROM ${sql.table(collection)} WHERE "user" = ${value('user')}`,
  )
  const { max, field, rule } = most
  return async (tx, user) => {
    await lockReader(tx, user)
    const [owned] = named(await countOf(tx, { user }), { records: number })
    if (owned!.records >= max)
      throw new ApiError(400, failedTo.create, { [field]: fieldError(rule, { max }) })
  }
}
