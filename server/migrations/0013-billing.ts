import type { Migration } from './migration.ts'

/** Who is which customer of the payment provider, what it has told us, and until when is paid. */
export const billing: Migration = {
  name: 'billing',
  statements(dialect) {
    const ascii = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT'
    const text = `${ascii} NOT NULL`
    return [
      // A customer without a reader is one whose account is gone.
      `CREATE TABLE billing_customers (customer ${text} PRIMARY KEY, "user" ${ascii} UNIQUE,
        version INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        owed_since ${text} DEFAULT '', due ${text} DEFAULT '')`,
      `CREATE INDEX billing_customers_due ON billing_customers (due) WHERE due <> ''`,
      `CREATE TABLE billing_events (id ${text} PRIMARY KEY, received ${text})`,
      `CREATE INDEX billing_events_received ON billing_events (received)`,
      `ALTER TABLE subscriptions ADD COLUMN ends ${text} DEFAULT ''`,
      `ALTER TABLE subscriptions ADD COLUMN pay_by ${text} DEFAULT ''`,
    ]
  },
}
