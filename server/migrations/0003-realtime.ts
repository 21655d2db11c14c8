import { realtimeTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** How processes over one database know who listens to what. */
export const realtime: Migration = {
  name: 'realtime',
  statements: realtimeTables,
}
