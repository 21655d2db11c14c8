import { sql } from 'kysely'
import type { Database, Transaction } from '#records/index.ts'
import type { Plan } from '#shared/plan.ts'
import { query } from '#server/storage/query.ts'

/** @returns the plan a reader is on: premium with an active subscription, else everyone's */
export async function planOf(
  db: Database | Transaction,
  user: string,
  planDefault: Plan,
): Promise<Plan> {
  const active = sql`SELECT 1 FROM subscriptions WHERE "user" = ${user} AND status = 'active'`
  return (await query(db, active)).length > 0 ? 'premium' : planDefault
}
