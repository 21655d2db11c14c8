import { providerTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Which sessions came from which provider, so that it can end them, and when it was last used. */
export const providerSessions: Migration = {
  name: 'provider-sessions',
  statements: providerTables,
}
