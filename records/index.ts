import type { Context, ErrorHandler, Hono, MiddlewareHandler } from 'hono'
import { refuseBrokenRules } from './access/broken-rules.ts'
import type { Viewer } from './access/request.ts'
import { Auth, type AuthMail, type OtpMail } from './auth/index.ts'
import { endSession, endSessions, openSessions } from './auth/open-sessions.ts'
import type { OAuth2Options } from './auth/oauth2.ts'
import { findMfaAccount } from './auth/otp.ts'
import { passwordResetToken } from './auth/password-reset.ts'
import type { Hooks, WriteTransaction } from './write/change.ts'
import type { Core, DiskSpace } from './core.ts'
import type { CommitOptions, Database } from './database/database.ts'
import { defaultQuota, Files, type FileQuota } from './files/files.ts'
import type { FileStorage } from './files/storage.ts'
import { storeUploads, type StoredUploads } from './files/uploads.ts'
import { sweepFiles } from './files/sweep.ts'
import { FileTokens } from './files/token.ts'
import { socketAddress } from './limits/address.ts'
import { Limits, type LimitRules } from './limits/index.ts'
import { findRecord, recordsOf } from './read/read.ts'
import { Realtime } from './realtime/index.ts'
import { cors } from './routes/cors.ts'
import { listTrashEntries, trashedRecords, type TrashEntry } from './trash/find.ts'
import { sweepTrash } from './trash/sweep.ts'
import { apiRoutes } from './routes/index.ts'
import { chargeRequests, limitRequests } from './routes/limits.ts'
import type { Env } from './routes/request-info.ts'
import type { Schema } from './schema/collection.ts'
import type { StoredRecord } from './schema/values.ts'
import { transact } from './write/transaction.ts'
import { AccountQueue } from './write/account-queue.ts'

export type { RequestInfo, Viewer } from './access/request.ts'
export { expiredCookie } from './auth/cookie.ts'
export type { AuthMail, OtpMail } from './auth/index.ts'
export { deviceTables } from './auth/devices.ts'
export { rotationTables } from './auth/rotation.ts'
export { sessionTables } from './auth/sessions.ts'
export type { OAuth2Provider } from './auth/oauth2-provider.ts'
export type { OAuth2Options } from './auth/oauth2.ts'
export { accountTables, authTables } from './auth/tables.ts'
export type { Change, Hooks, WriteTransaction } from './write/change.ts'
export type { Connection, Database, Dialect, Row, Transaction } from './database/database.ts'
export { meter } from './database/request-budget.ts'
export { modify, query } from './database/query.ts'
export { prepared, preparedWrite } from './database/prepared.ts'
export { openSqlite } from './database/sqlite.ts'
export { ApiError, invalidForm, tooManyRequests, type FieldErrors } from './errors.ts'
export { realtimeTables } from './realtime/index.ts'
export { diskStorage } from './files/disk.ts'
export type { FileQuota } from './files/files.ts'
export { s3Storage, type S3Options } from './files/s3.ts'
export { allBytes, type FileStorage } from './files/storage.ts'
export { fileTables } from './files/table.ts'
export type { StoredUploads } from './files/uploads.ts'
export type { TrashEntry } from './trash/find.ts'
export { trashTables } from './trash/tables.ts'
export { newId } from './random.ts'
export { clientNetwork, limitTables, type LimitRule, type LimitRules } from './limits/index.ts'
export { plainAddress, socketAddress } from './limits/address.ts'
export { collection, Schema } from './schema/collection.ts'
export type { DiskSpace } from './core.ts'
export type { Collection } from './schema/collection.ts'
export type { Field, Rule } from './schema/field.ts'
export { tableSql } from './schema/table.ts'
export type { StoredRecord } from './schema/values.ts'

/** As `openPostgres` of ./database/postgres.ts, which a process on SQLite never loads. */
export const openPostgres: typeof import('./database/postgres.ts').openPostgres = async (
  ...options
) => (await import('./database/postgres.ts')).openPostgres(...options)

export interface RecordsOptions {
  database: Database
  schema: Schema
  /** Signs tokens and hashes codes; at least 32 characters. */
  secret: string
  /** By collection name. */
  hooks?: Readonly<Record<string, Hooks>>
  /** Where uploads are kept, with `fileTables` in the database; without it they are refused. */
  files?: FileStorage
  /** The folder for forms of more than 1 MB while they come in. Without it they stay in memory. */
  spoolFolder?: string
  /** Asked before records are created or changed, and told of writes that failed for lack of space. */
  diskSpace?: DiskSpace
  /** What one account's files may take; 200 MB and 500 files unless said otherwise. */
  fileQuota?: FileQuota
  /** Where the application is reached; its origin may use the session cookie to write. */
  appUrl: string
  /**
   * Whether the application is also reached at another address, which a request names. Pages from
   * there may use the session cookie to write there. Only for names that a stranger can't point at
   * this machine.
   */
  isOwnAddress?: (url: URL) => boolean
  /** Told of the origin of each page that was refused a session; '' for one that names none. */
  onForeignOrigin?: (origin: string) => void
  /**
   * Who asks, as the application trusts it; without it the other end of the connection, which behind
   * a proxy is the proxy. '' is the process itself, whose requests are not counted.
   */
  clientAddress?: (c: Context) => string
  /**
   * How often one client may do what; see limits/rules.ts for the usual rules, of which some can be
   * replaced. They count with `limitTables` in the database. False: as often as it likes.
   */
  limits?: Partial<LimitRules> | false
  /** Asked before the service looks at a request, such as for how much of it there is. */
  guard?: MiddlewareHandler
  /** Answers what is no refusal but a failure; without it the failure is thrown on to who mounts. */
  answerFailure?: ErrorHandler
  /** Told by whom a request is made, once that is known, and not of visitors. */
  onViewer?: (viewer: Viewer) => void
  /** Called once a code is stored; the answer does not wait for it. */
  onOtp: (mail: OtpMail) => Promise<void> | void
  /** Called with every other mail about an account; no answer waits for it. Absent: none is sent. */
  onMail?: (mail: AuthMail) => Promise<void> | void
  /**
   * Where links of the mails that a request causes should lead, such as the other address of this
   * machine that its page was opened at; undefined for the application's usual address. A stranger
   * can ask for anybody's mail, so nothing of it may be what the request alone claims.
   */
  linkOrigin?: (c: Context) => string | undefined
  /** Services whose accounts can sign in, by auth collection. */
  oauth2?: Readonly<Record<string, OAuth2Options>>
  /** Hears of what fails after its answer, such as a mail that could not be handed on. */
  onError?: (error: unknown) => void
  now?: () => Date
}

export interface Records {
  /**
   * Everything below /api; unknown paths answer 404, so mount other /api routes before it. Mounted
   * at `/`, or asked by itself, which is quicker.
   */
  routes: Hono<Env>
  /**
   * Who makes a request, by its Authorization header or its `pb_auth` cookie. With several such
   * cookies it is somebody's only if exactly one of them is a live session.
   *
   * @returns null for a visitor: no session, or one that has ended
   * @throws ApiError 403 if an unsafe method uses the cookie from another origin
   */
  authenticate(request: Request): Promise<Viewer | null>
  /**
   * For an application that draws pages with the request's cookies: of several session cookies
   * only the one that counts for `authenticate` is left.
   *
   * @returns the Cookie header; '' for none
   */
  sessionCookies(request: Request): Promise<string>
  /**
   * Lets pages of other origins read answers, as the service's own routes do; for routes of the
   * application, and before anything that refuses requests of both.
   */
  cors: MiddlewareHandler
  /**
   * Counts requests of the application's own routes together with those of the service, and has them
   * pay for the time that their statements take.
   */
  limitRequests: MiddlewareHandler
  /** The latter alone, with all that they ask the service inside the process. */
  chargeRequests: MiddlewareHandler
  /** Runs the application's own operation in one transaction; events are sent once it is durable. */
  write<T>(work: (tx: WriteTransaction) => Promise<T>, options?: CommitOptions): Promise<T>
  /**
   * Checks and stores files of a record that is about to be written by `write`; see `storeUploads`
   * in ./files/uploads.ts.
   *
   * @throws ApiError 400 with the errors of the fields
   */
  storeUploads(
    collection: string,
    id: string,
    uploads: { account: string; sent: Readonly<Record<string, File>> },
  ): Promise<StoredUploads>
  /** A stored record, hidden fields too; no access rule is asked. */
  find(collection: string, id: string): Promise<StoredRecord | null>
  /** All records whose relation names an id, a few at a time; see `recordsOf` in ./read/read.ts. */
  recordsOf(collection: string, field: string, id: string): AsyncIterable<StoredRecord[]>
  /**
   * Whose sign-in waits for its code: only who has just shown the password knows its id.
   *
   * @returns the account's id; null if there is no such sign-in, or no more
   */
  findMfaAccount(collection: string, mfaId: string): Promise<string | null>
  /** Where a viewer's account is signed in, and which browsers it trusts. */
  openSessions(viewer: Viewer): ReturnType<typeof openSessions>
  /** Signs out the session a viewer came with. */
  endSession(viewer: Viewer): Promise<void>
  /** Signs out an account everywhere, and trusts none of its devices any more. */
  endSessions(recordId: string): Promise<void>
  /**
   * The token of a link to set a new password, for an operator to hand over. It works as a mailed one.
   *
   * @throws ApiError 404 if there is no such account
   */
  passwordResetToken(collection: string, id: string): Promise<{ token: string; expires: Date }>
  /**
   * Removes files that no record has, such as a crash leaves behind; to be called now and then.
   *
   * @returns how many there were
   */
  sweepFiles(): Promise<number>
  /** What an account deleted and can bring back, newest first. */
  listTrash(account: string, limit: number): Promise<TrashEntry[]>
  /** All records that went with it, a few at a time; see `trashedRecords` in ./trash/find.ts. */
  trashedRecords(
    account: string,
  ): AsyncIterable<{ collection: string; record: StoredRecord; removed: number }[]>
  /**
   * Ends what was deleted too long ago to come back, with its files; to be called now and then.
   *
   * @returns how many deletions there were
   */
  sweepTrash(): Promise<number>
  /** How many realtime clients are connected to this process. */
  liveClients(): number
  /** Ends realtime connections and waits for what runs in the background; not the database. */
  close(): Promise<void>
}

/**
 * The record service over one database.
 *
 * @throws Error if one of the schema's rules cannot be followed
 */
export function createRecords(options: RecordsOptions): Records {
  const { database, schema, secret, appUrl, onOtp } = options
  refuseBrokenRules(database.dialect, schema)
  const now = options.now ?? (() => new Date())
  const report = options.onError ?? ((error) => console.error(error))
  const realtime = new Realtime({ database, schema, now, report })
  const core: Core = {
    database,
    schema,
    hooks: options.hooks ?? {},
    publisher: realtime,
    files:
      options.files &&
      new Files(options.files, options.fileQuota ?? defaultQuota, report, options.spoolFolder),
    limits: new Limits({
      database,
      secret,
      now: () => now().getTime(),
      rules: options.limits ?? {},
    }),
    diskSpace: options.diskSpace,
    accountQueue: new AccountQueue(database.dialect),
    now,
    report,
  }
  const onMail = options.onMail ?? (() => undefined)
  const auth = new Auth(core, {
    secret,
    appUrl,
    onOtp,
    onMail,
    linkOrigin: options.linkOrigin,
    onViewer: options.onViewer,
    oauth2: options.oauth2 ?? {},
    isOwnAddress: options.isOwnAddress,
    onForeignOrigin: options.onForeignOrigin,
  })
  const clientAddress = options.clientAddress ?? socketAddress
  return {
    routes: apiRoutes({
      core,
      auth,
      fileTokens: new FileTokens(core, secret),
      realtime,
      clientAddress,
      guard: options.guard,
      answerFailure: options.answerFailure,
    }),
    authenticate: auth.authenticate,
    sessionCookies: auth.sessionCookies,
    cors: cors(auth.appOrigin),
    limitRequests: limitRequests(core.limits, clientAddress),
    chargeRequests: chargeRequests(core.limits, clientAddress),
    write: (work, options) => transact(core, work, options),
    storeUploads: (name, id, uploads) => storeUploads(core.files, schema.get(name), id, uploads),
    find: (name, id) => findRecord(database, schema.get(name), id),
    recordsOf: (name, field, id) => recordsOf(database, schema.get(name), field, id),
    findMfaAccount: (name, mfaId) => findMfaAccount(core, schema.get(name), mfaId),
    openSessions: (viewer) => openSessions(core, schema.get(viewer.collectionName), viewer),
    endSession: async ({ id, session }) => void (await endSession(core, id, session)),
    endSessions: (id) => endSessions(core, id),
    passwordResetToken: (name, id) => passwordResetToken(auth.accounts, schema.get(name), id),
    sweepFiles: () => sweepFiles(core),
    listTrash: (account, limit) => listTrashEntries(database, schema, account, now(), limit),
    trashedRecords: (account) => trashedRecords(database, schema, account, now()),
    sweepTrash: () => sweepTrash(core),
    liveClients: () => realtime.clients,
    async close() {
      await realtime.close()
      await auth.close()
      await core.files?.close()
    },
  }
}
