import { accountTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** What mailed links, Google accounts and the notice of a new device are kept in. */
export const accounts: Migration = {
  name: 'accounts',
  statements: accountTables,
}
