import { sql } from 'kysely'
import { type Database, type Transaction, named, number, orNull, text } from '#records/index.ts'
import type { LibraryTransaction } from '#server/collections/stored.ts'
import { lockReader } from '#server/collections/locks.ts'
import type { RetriedTable } from '#server/runtime/job-table.ts'
import { modify, query } from '#server/storage/query.ts'

// This table maps the provider's customers to readers, from when a reader first goes to pay. What
// the provider says about people never decides who they are here.

type Db = Database | Transaction

export interface Customer {
  customer: string
  /** null once the account is deleted. */
  user: string | null
  /** Incremented at each update, so that an older answer can't replace a newer one. */
  version: number
  /** Since when a payment is overdue; null if none is. */
  owedSince: Date | null
}

/** @returns the stored customer, or undefined if unknown */
export async function findCustomer(db: Db, customer: string): Promise<Customer | undefined> {
  const rows = await query(
    db,
    sql`SELECT "user", version, owed_since FROM billing_customers WHERE customer = ${customer}`,
  )
  const [known] = named(rows, { user: orNull(text), version: number, owed: text })
  if (!known) return undefined
  const { user, version, owed } = known
  return { customer, user, version, owedSince: owed ? new Date(owed) : null }
}

/** @returns a reader's customer, or undefined for one who never went to pay */
export async function customerOf(db: Db, user: string): Promise<string | undefined> {
  const own = sql`SELECT customer FROM billing_customers WHERE "user" = ${user}`
  return named(await query(db, own), { customer: text })[0]?.customer
}

/**
 * Links a new customer to its reader. If two were created at once, one stays; the other, or one
 * whose account was deleted meanwhile, is deleted at the provider later.
 *
 * @returns the reader's customer, or undefined if there is no such reader
 */
export async function linkCustomer(
  tx: LibraryTransaction,
  customer: string,
  user: string,
  now: Date,
): Promise<string | undefined> {
  await lockReader(tx, user)
  await modify(
    tx,
    'billing_customers',
    sql`INSERT INTO billing_customers (customer, "user")
      SELECT ${customer}, id FROM users WHERE id = ${user}
      ON CONFLICT ("user") DO NOTHING`,
  )
  await modify(
    tx,
    'billing_customers',
    sql`INSERT INTO billing_customers (customer, "user", due)
      VALUES (${customer}, NULL, ${now.toISOString()}) ON CONFLICT (customer) DO NOTHING`,
  )
  return customerOf(tx, user)
}

/**
 * Marks the customer of a deleted account for deletion at the provider, in the account's
 * transaction.
 */
export async function detachCustomer(tx: Transaction, user: string, now: Date): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`UPDATE billing_customers SET "user" = NULL, attempts = 0, due = ${now.toISOString()}
      WHERE "user" = ${user}`,
  )
}

/** Forgets a customer that the provider no longer has. */
export async function deleteCustomer(tx: Transaction, customer: string): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`DELETE FROM billing_customers WHERE customer = ${customer}`,
  )
}

/** Schedules a check of a customer, whether or not a message arrives before. */
export async function scheduleRefresh(tx: Transaction, customer: string, due: Date): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`UPDATE billing_customers SET due = ${due.toISOString()} WHERE customer = ${customer}`,
  )
}

const minute = 60_000

/** The customers that are due for a check. */
export const customerJobs: RetriedTable<{ customer: string; attempts: number }> = {
  name: 'billing_customers',
  key: ['customer'],
  columns: { customer: text, attempts: number },
  time: (milliseconds) => new Date(milliseconds).toISOString(),
  claim: minute,
  which: sql`due <> ''`,
  tries: 'attempts',
  retries: { delays: [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * minute) },
}
