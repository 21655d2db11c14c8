import type { Migration } from './migration.ts'

/** Names that were given up, which lead to who had them and are kept for them for a while. */
export const formerUsernames: Migration = {
  name: 'former-usernames',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    return [
      // "user" is empty once the account is gone; the time is in milliseconds.
      `CREATE TABLE former_usernames (username ${text} PRIMARY KEY, "user" ${text},
        until DOUBLE PRECISION NOT NULL)`,
      `CREATE INDEX former_usernames_user ON former_usernames ("user", until DESC)`,
      `CREATE INDEX former_usernames_until ON former_usernames (until)`,
    ]
  },
}
