export {
  createRecords,
  type HooksByName,
  type Records,
  type RecordsOptions,
} from './create-records.ts'
export type { RequestInfo, Viewer } from './filter/request.ts'
export { requireScope, type Need } from './access/scope.ts'
export { apiTokens } from './auth/api-tokens.ts'
export { confirmationTables } from './auth/confirmation.ts'
export { expiredCookie } from './auth/cookie.ts'
export type { AuthMail, OtpMail } from './auth/index.ts'
export { deviceTables } from './auth/devices.ts'
export { providerTables } from './auth/external-auths.ts'
export { passkeyTables } from './auth/passkeys.ts'
export { rotationTables } from './auth/rotation.ts'
export { sessionTables } from './auth/sessions.ts'
export type { OAuth2Provider } from './auth/oauth2-provider.ts'
export type { OAuth2Options } from './auth/oauth2.ts'
export { accountTables, authTables } from './auth/tables.ts'
export { perTransaction, type Change, type Hooks, type WriteTransaction } from './write/change.ts'
export { flag, named, number, orNull, text, texts, type NamedRow } from './database/columns.ts'
export { mayComeBack } from './database/away.ts'
export type { Connection, Database, Db, Dialect, Row, Transaction } from './database/database.ts'
export { meter } from './database/request-budget.ts'
export { modify, query } from './database/query.ts'
export { prepared, preparedWrite } from './database/prepared.ts'
export { openSqlite } from './database/sqlite.ts'
export {
  ApiError,
  failedTo,
  invalidForm,
  tooManyRequests,
  type FieldError,
  type FieldErrors,
} from './errors.ts'
export { realtimeTables } from './realtime/index.ts'
export { recordLimits } from './routes/limits.ts'
export { compareFiles, type FileComparison } from './files/compare.ts'
export { diskStorage } from './files/disk.ts'
export type { FileQuota } from './files/files.ts'
export { s3Storage, type S3Options } from './files/s3.ts'
export { allBytes, type FileStorage } from './files/storage.ts'
export { isRunning, removeAbandoned, temporaryFolder } from './files/spool.ts'
export { fileTables } from './files/table.ts'
export { checkFilter, type TotalQuery } from './read/total.ts'
export type { StoredUploads } from './files/uploads.ts'
export type { TrashEntry } from './write/trash/find.ts'
export { trashTables } from './write/trash/tables.ts'
export { isLongAgo } from './long-ago.ts'
export { newId } from './random.ts'
export { clientNetwork, limitTables, type LimitRule, type LimitRules } from './limits/index.ts'
export { plainAddress, socketAddress } from './limits/address.ts'
export { RequestCounter } from './limits/request-counter.ts'
export { letRequestsRun, throttle } from './limits/throttle.ts'
export { Turns } from './limits/turns.ts'
export { formatDate, timeOf } from './schema/coerce.ts'
export { storedEmail } from './schema/email-url.ts'
export {
  collection,
  fieldOf,
  Schema,
  type Collection,
  type CollectionNamed,
} from './schema/collection.ts'
export type { DiskSpace } from './write/core.ts'
export { asWritten, usualMost, type Field, type Folded, type Rule } from './schema/field.ts'
export { tableSql } from './schema/table.ts'
export { decode, encode } from './schema/values.ts'
export type { RecordOf, StoredRecord, ValuesOf } from './schema/record-of.ts'

/** `openPostgres` from ./database/postgres.ts, loaded on first use, so never with SQLite. */
export const openPostgres: typeof import('./database/postgres.ts').openPostgres = async (
  ...options
) => (await import('./database/postgres.ts')).openPostgres(...options)
