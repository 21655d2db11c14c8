import type { Migration } from './migration.ts'

/** Where a reader buys books: a country, and stores of their own. */
export const stores: Migration = {
  name: 'stores',
  statements(dialect) {
    const text = dialect === 'postgres' ? 'TEXT COLLATE "C" NOT NULL' : 'TEXT NOT NULL'
    return [
      `ALTER TABLE settings ADD COLUMN country ${text} DEFAULT ''`,
      `ALTER TABLE settings ADD COLUMN stores ${text} DEFAULT 'null'`,
    ]
  },
}
