import { fileTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Pictures of readers and of their books. */
export const files: Migration = {
  name: 'files',
  statements: fileTables,
}
