import { passkeyTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Passkeys that sign readers in. */
export const passkeys: Migration = {
  name: 'passkeys',
  statements: passkeyTables,
}
