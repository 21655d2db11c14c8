import { sql } from 'kysely'
import type { Database, Transaction, WriteTransaction } from '#records/index.ts'
import { lockReader } from '#server/library/locks.ts'
import { modify, query } from '#server/query.ts'

// Which customer of the payment provider is which reader is our own record, made when a reader first
// goes to pay. What the provider says about people is never believed about who they are here.

type Db = Database | Transaction

export interface Customer {
  customer: string
  /** null once the account is deleted. */
  user: string | null
  /** Counts what was learnt of the customer, so that what is older cannot replace what is newer. */
  version: number
  /** Since when a payment is owed; null if none is. */
  owedSince: Date | null
}

/** @returns what we know of a customer, or undefined for one who is none of ours */
export async function findCustomer(db: Db, customer: string): Promise<Customer | undefined> {
  const [row] = await query(
    db,
    sql`SELECT "user", version, owed_since FROM billing_customers WHERE customer = ${customer}`,
  )
  if (!row) return undefined
  const [user, version, owed] = row
  return {
    customer,
    user: user === null ? null : String(user),
    version: Number(version),
    owedSince: owed ? new Date(String(owed)) : null,
  }
}

/** @returns a reader's customer, or undefined for one who never went to pay */
export async function customerOf(db: Db, user: string): Promise<string | undefined> {
  const own = sql`SELECT customer FROM billing_customers WHERE "user" = ${user}`
  const [row] = await query(db, own)
  return row && String(row[0])
}

/**
 * Notes whose a new customer is. Of two that were made at once one stays; the other, and one whose
 * account was deleted meanwhile, is deleted at the provider later.
 *
 * @returns the reader's customer, or undefined if there is no such reader
 */
export async function linkCustomer(
  tx: WriteTransaction,
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

/** For the end of an account, in its transaction: the customer is to be deleted at the provider. */
export async function detachCustomer(tx: Transaction, user: string, now: Date): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`UPDATE billing_customers SET "user" = NULL, attempts = 0, due = ${now.toISOString()}
      WHERE "user" = ${user}`,
  )
}

/** For a customer that the provider no longer has. */
export async function deleteCustomer(tx: Transaction, customer: string): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`DELETE FROM billing_customers WHERE customer = ${customer}`,
  )
}

/** Has a customer looked at by then, whether or not the provider tells any news. */
export async function scheduleRefresh(tx: Transaction, customer: string, due: Date): Promise<void> {
  await modify(
    tx,
    'billing_customers',
    sql`UPDATE billing_customers SET due = ${due.toISOString()} WHERE customer = ${customer}`,
  )
}

/**
 * Takes the customer who is to be looked at next; it comes back by itself should nothing come of it,
 * later each time.
 */
export async function claimDueCustomer(database: Database, now: Date): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const instant = now.toISOString()
    const [row] = await modify(
      tx,
      'billing_customers',
      sql`UPDATE billing_customers SET attempts = attempts + 1
        WHERE customer = (SELECT customer FROM billing_customers
            WHERE due <> '' AND due <= ${instant} ORDER BY due, customer LIMIT 1)
          AND due <= ${instant}
        RETURNING customer, attempts`,
    )
    if (!row) return undefined
    const [customer, attempts] = [String(row[0]), Number(row[1])]
    await scheduleRefresh(tx, customer, new Date(now.getTime() + pause(attempts)))
    return customer
  })
}

/** Milliseconds until the next try: 1, 2, 4 ... 60 minutes. */
const pause = (attempts: number) => 60_000 * Math.min(60, 2 ** (attempts - 1))
