import type { Migration } from './migration.ts'

/** The directory counts its readers and cuts its pages without a look at the tables. */
export const directory: Migration = {
  name: 'directory',
  statements: () => [
    `CREATE INDEX settings_public ON settings ("user")
      WHERE "isPrivate" = FALSE AND "isHidden" = FALSE`,
    `CREATE INDEX users_username_id ON users (username, id)`,
  ],
}
