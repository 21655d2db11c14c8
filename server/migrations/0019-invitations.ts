import type { Migration } from './migration.ts'

/** Invitations to sign up that are open. Times are milliseconds since 1970. */
export const invitations: Migration = {
  name: 'invitations',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      `CREATE TABLE invitations (id ${text} PRIMARY KEY, hash ${text}, created BIGINT NOT NULL,
        expires BIGINT NOT NULL)`,
      `CREATE UNIQUE INDEX invitations_hash ON invitations (hash)`,
    ]
  },
}
