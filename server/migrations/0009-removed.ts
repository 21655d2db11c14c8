import { trashTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** What readers removed, for as long as they can have it back. */
export const removed: Migration = {
  name: 'removed',
  statements: trashTables,
}
