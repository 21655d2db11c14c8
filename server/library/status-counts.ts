import { sql } from 'kysely'
import { number, text, type Database } from '#records/index.ts'
import { query } from '#server/storage/query.ts'
import { statuses, type StatusCounts } from '#shared/user-book.ts'

/** Counts a reader's records of books by status, as a list of their books does. */
export async function countStatuses(database: Database, user: string): Promise<StatusCounts> {
  const rows = await query(
    database,
    sql`SELECT status, COUNT(*) FROM user_books WHERE "user" = ${user} GROUP BY status`,
    { status: text, books: number },
  )
  const counted = new Map(rows.map(({ status, books }) => [status, books]))
  const counts = statuses.map((status) => [status, counted.get(status) ?? 0] as const)
  return Object.fromEntries(counts) as StatusCounts
}
