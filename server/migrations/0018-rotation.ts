import { rotationTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Which token of a session is the current one. */
export const rotation: Migration = {
  name: 'rotation',
  statements: rotationTables,
}
