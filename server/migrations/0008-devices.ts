import { deviceTables } from '#records/index.ts'
import type { Migration } from './migration.ts'

/** Which browsers an account trusts, and where its sessions are. */
export const devices: Migration = {
  name: 'devices',
  statements: deviceTables,
}
