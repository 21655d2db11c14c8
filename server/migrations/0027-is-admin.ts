import type { Migration } from './migration.ts'

/** Whether a reader administers the site; only a command sets it. */
export const isAdmin: Migration = {
  name: 'is-admin',
  statements: () => [`ALTER TABLE users ADD COLUMN "isAdmin" BOOLEAN NOT NULL DEFAULT FALSE`],
}
