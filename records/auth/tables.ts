import type { Dialect } from '../database/database.ts'
import { textType } from '../schema/table.ts'
import { confirmationTables } from './confirmation.ts'
import { deviceTables } from './devices.ts'
import { providerTables } from './external-auths.ts'
import { passkeyTables } from './passkeys.ts'
import { rotationTables } from './rotation.ts'
import { sessionTables } from './sessions.ts'

/**
 * The statements that create all tables for accounts, for a migration to run one by one. Times are
 * milliseconds since 1970.
 */
export function authTables(dialect: Dialect['name']): string[] {
  const tables = [
    sessionTables,
    accountTables,
    deviceTables,
    rotationTables,
    confirmationTables,
    providerTables,
    passkeyTables,
  ]
  return tables.flatMap((statements) => statements(dialect))
}

/**
 * The tables of {@link authTables} for mailed links, provider accounts and known sign-in origins.
 */
export function accountTables(dialect: Dialect['name']): string[] {
  const text = `${textType(dialect)} NOT NULL`
  const id = `id ${text} PRIMARY KEY, collection ${text}, record ${text}`
  return [
    // Used and replaced links are kept while they could be valid, to count the mails sent.
    `CREATE TABLE "_mailLinks" (${id}, kind ${text}, tries INTEGER NOT NULL DEFAULT 0,
      spent BOOLEAN NOT NULL DEFAULT FALSE, created BIGINT NOT NULL, expires BIGINT NOT NULL)`,
    `CREATE INDEX "_mailLinks_record" ON "_mailLinks" (record, kind, created)`,
    `CREATE INDEX "_mailLinks_expires" ON "_mailLinks" (expires)`,
    `CREATE TABLE "_externalAuths" (${id}, provider ${text}, "providerId" ${text},
      created BIGINT NOT NULL)`,
    `CREATE UNIQUE INDEX "_externalAuths_record" ON "_externalAuths" (record, provider)`,
    `CREATE UNIQUE INDEX "_externalAuths_provider"
      ON "_externalAuths" (collection, provider, "providerId")`,
    `CREATE TABLE "_authOrigins" (${id}, fingerprint ${text}, created BIGINT NOT NULL)`,
    `CREATE UNIQUE INDEX "_authOrigins_record" ON "_authOrigins" (record, fingerprint)`,
  ]
}
