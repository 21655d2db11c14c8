import { limitTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** How often was tried what may only be tried so often. */
export const limits: Migration = {
  name: 'limits',
  statements: limitTables,
}
