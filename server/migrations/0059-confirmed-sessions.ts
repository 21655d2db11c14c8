import { confirmationTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** When the password was last given again in a session. */
export const confirmedSessions: Migration = {
  name: 'confirmed-sessions',
  statements: confirmationTables,
}
