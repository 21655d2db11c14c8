import type { Migration } from './migration.ts'

/** Tokens that programs use in place of a session. */
export const apiTokens: Migration = {
  name: 'api-tokens',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    return [
      `CREATE TABLE api_tokens (id ${text} PRIMARY KEY, "user" ${string}, name ${string},
        scope ${string}, collections ${text} DEFAULT 'null', expires ${string},
        last_used ${string}, hash ${string}, created ${string})`,
      `CREATE UNIQUE INDEX api_tokens_hash_unique ON api_tokens (hash) WHERE hash <> ''`,
      `CREATE INDEX api_tokens_user ON api_tokens ("user", created, id)`,
    ]
  },
}
