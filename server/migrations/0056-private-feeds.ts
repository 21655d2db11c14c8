import type { Migration } from './migration.ts'

/** Secret addresses of readers' own feeds. */
export const privateFeeds: Migration = {
  name: 'private-feeds',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    return [
      `CREATE TABLE private_feeds (id ${text} PRIMARY KEY, "user" ${string}, hash ${string},
        last_used ${string}, created ${string})`,
      `CREATE UNIQUE INDEX private_feeds_user_unique ON private_feeds ("user")`,
      `CREATE UNIQUE INDEX private_feeds_hash_unique ON private_feeds (hash) WHERE hash <> ''`,
    ]
  },
}
