import type { Context, ErrorHandler, Hono, MiddlewareHandler } from 'hono'
import { refuseBrokenRules } from './access/broken-rules.ts'
import { requireScope, type Need } from './access/scope.ts'
import type { Viewer } from './filter/request.ts'
import { withTokenHooks } from './auth/api-tokens.ts'
import { Auth, type AuthMail, type OtpMail } from './auth/index.ts'
import { confirmedAt, confirmPassword } from './auth/confirmation.ts'
import { isSafe, refuseForeignOrigin } from './auth/authenticate.ts'
import { endSession, endSessions, openSessions } from './auth/open-sessions.ts'
import type { OAuth2Options } from './auth/oauth2.ts'
import { findMfaAccount, startOtpLife } from './auth/otp.ts'
import { passwordResetToken } from './auth/password-reset.ts'
import { sessionsOf } from './auth/sessions.ts'
import { Passwords, type PasswordCost } from './passwords.ts'
import type { Hooks, WriteTransaction } from './write/change.ts'
import type { Core, DiskSpace } from './write/core.ts'
import type { CommitOptions, Database } from './database/database.ts'
import { defaultQuota, Files, type FileQuota } from './files/files.ts'
import type { FileStorage } from './files/storage.ts'
import { storeUploads, type StoredUploads } from './files/uploads.ts'
import { sweepFiles, sweepTrash } from './write/sweep.ts'
import { FileTokens } from './auth/file-token.ts'
import { socketAddress } from './limits/address.ts'
import { Limits, type LimitRules } from './limits/index.ts'
import { findRecord, recordsOf } from './read/read.ts'
import { totalOf, type TotalQuery } from './read/total.ts'
import { Realtime } from './realtime/index.ts'
import { cors } from './routes/cors.ts'
import {
  listTrashEntries,
  trashedRecords,
  type TrashedRecord,
  type TrashEntry,
} from './write/trash/find.ts'
import { apiRoutes } from './routes/index.ts'
import { chargeRequests, limitRequests } from './routes/limits.ts'
import type { Env } from './routes/request-info.ts'
import type { Collection, CollectionNamed, Schema } from './schema/collection.ts'
import type { RecordOf } from './schema/record-of.ts'
import { transact } from './write/transaction.ts'
import { AccountQueue } from './write/account-queue.ts'

/** An application's additions to the writes of its collections, by name. */
export type HooksByName<C extends Collection> = {
  readonly [Name in C['name']]?: Hooks<RecordOf<CollectionNamed<C, Name>>, C>
}

export interface RecordsOptions<C extends Collection> {
  database: Database
  schema: Schema<C>
  /** Signs tokens and hashes codes; at least 32 characters. */
  secret: string
  hooks?: HooksByName<C>
  /** Stores uploads; needs `fileTables` in the database. Without it, uploads are refused. */
  files?: FileStorage
  /** The folder for forms of more than 1 MB during an upload. Without it they stay in memory. */
  spoolFolder?: string
  /** Can refuse writes when the disk is full, and is notified when one fails for lack of space. */
  diskSpace?: DiskSpace
  /** The limit on one account's files; by default 200 MB and 500 files. */
  fileQuota?: FileQuota
  /** The application's URL. Pages of its origin may write with the session cookie. */
  appUrl: string
  /**
   * Whether a request's URL is another address of the application. Pages from there may write with
   * the session cookie. Only accept names that a stranger can't point at this machine.
   */
  isOwnAddress?: (url: URL) => boolean
  /** Called with the origin of each page refused the session cookie; '' if there is none. */
  onForeignOrigin?: (origin: string) => void
  /**
   * The client's address as far as it can be trusted; by default the connection's other end, which
   * may be a proxy. '' is the process itself, whose requests aren't limited.
   */
  clientAddress?: (c: Context) => string
  /** The cost of hashing a password. Defaults to OWASP's first recommendation for argon2id. */
  passwordCost?: PasswordCost | undefined
  /** Overrides limits/rules.ts; needs `limitTables` in the database. False turns all limits off. */
  limits?: Partial<LimitRules> | false
  /** Runs before the service handles a request, such as to limit its size. */
  guard?: MiddlewareHandler
  /** Responds to unexpected errors. Without it, they are thrown to the application. */
  answerFailure?: ErrorHandler
  /** Called with a request's viewer once it is known; not for visitors. */
  onViewer?: (viewer: Viewer) => void
  /** Called once a code is stored; the response doesn't wait for it. */
  onOtp: (mail: OtpMail) => Promise<void> | void
  /** Called for every other mail about an account, in the background. Without it, none is sent. */
  onMail?: (mail: AuthMail) => Promise<void> | void
  /**
   * The origin for links in a request's mails, such as another address of this machine where its
   * page was opened; undefined for the application's usual one. A stranger can request mail to
   * anyone, so it must not rely on anything that only the request claims.
   */
  linkOrigin?: (c: Context) => string | undefined
  /** Sign-in with providers, by auth collection. */
  oauth2?: Readonly<Record<string, OAuth2Options>>
  /** Called with errors that occur after the response, such as a mail that couldn't be sent. */
  onError?: (error: unknown) => void
  now?: () => Date
}

export interface Records<C extends Collection = Collection> {
  /**
   * Handles everything below /api. Unknown paths get 404, so mount other /api routes before it.
   * Mount it at `/`, or call it directly, which is faster.
   */
  routes: Hono<Env>
  /**
   * Identifies a request's viewer by its Authorization header or its `pb_auth` cookie. Of several
   * such cookies, exactly one must be a live session; otherwise the request counts as a visitor's.
   *
   * @param need what an API token must allow; by default what the method does
   * @returns null for a visitor, who has no session or one that has ended
   * @throws ApiError 403 if an unsafe method uses the cookie from another origin, or if an API token
   *   lacks the scope or is limited to some collections
   */
  authenticate(request: Request, need?: Need): Promise<Viewer | null>
  /**
   * Lets a request that the process itself makes read what an account sees, as an API token with
   * the scope `read` does. No request from outside can pass for it.
   *
   * @throws ApiError 404 if there is no such account
   */
  readAs(request: Request, collection: C['name'], id: string): Promise<void>
  /**
   * For an application that renders pages with the request's cookies: leaves only the session
   * cookie that counts for `authenticate`.
   *
   * @returns the Cookie header; '' for none
   */
  sessionCookies(request: Request): Promise<string>
  /**
   * For an application's own writes that a visitor may send, such as signing in.
   *
   * @throws ApiError 403 if the request comes from a foreign page
   */
  refuseForeignOrigin(request: Request): void
  /**
   * Lets pages of other origins read responses, as the service's own routes do. For the
   * application's routes; put it before any middleware that may refuse such requests.
   */
  cors: MiddlewareHandler
  /**
   * Counts requests to the application's own routes together with the service's, and charges the
   * time of their statements.
   */
  limitRequests: MiddlewareHandler
  /** Only charges the time of statements, including those of in-process calls to the service. */
  chargeRequests: MiddlewareHandler
  /** Runs the application's own operation in one transaction; events are sent once it is durable. */
  write<T>(work: (tx: WriteTransaction<C>) => Promise<T>, options?: CommitOptions): Promise<T>
  /**
   * Checks and stores files of a record that is about to be written by `write`; see `storeUploads`
   * in ./files/uploads.ts.
   *
   * @throws ApiError 400 with the errors of the fields
   */
  storeUploads(
    collection: C['name'],
    id: string,
    uploads: { account: string; sent: Readonly<Record<string, File>> },
  ): Promise<StoredUploads>
  /** A stored record with its hidden fields; no access rule applies. */
  find<Name extends C['name']>(
    collection: Name,
    id: string,
  ): Promise<RecordOf<CollectionNamed<C, Name>> | null>
  /** All records whose relation names an id, a few at a time; see `recordsOf` in ./read/read.ts. */
  recordsOf<Name extends C['name']>(
    collection: Name,
    field: CollectionNamed<C, Name>['fields'][number]['name'],
    id: string,
  ): AsyncIterable<RecordOf<CollectionNamed<C, Name>>[]>
  /** Counts records and adds up their numbers; see `totalOf` in ./read/total.ts. */
  total(collection: C['name'], query: TotalQuery): Promise<number[]>
  /**
   * The account of a half-done sign-in that waits for its code. Only someone who has just given the
   * password knows its id.
   *
   * @returns the account's id; null if the sign-in is unknown or has expired
   */
  findMfaAccount(collection: C['name'], mfaId: string): Promise<string | null>
  /** Call it when a code's mail has been handed over: the code's life starts then. */
  otpDelivered(collection: C['name'], email: string): Promise<void>
  /** Lists a viewer's open sessions and trusted devices. */
  openSessions(viewer: Viewer): ReturnType<typeof openSessions>
  /** Signs out the viewer's current session. */
  endSession(viewer: Viewer): Promise<void>
  /**
   * Stores in the viewer's session that they have just given their password again; limited like
   * sign-in. See ./auth/confirmation.ts.
   *
   * @param network where the request comes from; see `clientNetwork`
   * @throws ApiError 400 for a wrong password, 401 if the session has ended, 429 after too many
   */
  confirmPassword(viewer: Viewer, password: string, network: string): Promise<void>
  /** When the viewer's session was last confirmed that way; null if it never was. */
  confirmedAt(viewer: Viewer): Promise<Date | null>
  /** Signs out an account everywhere and forgets its trusted devices. */
  endSessions(recordId: string): Promise<void>
  /**
   * Creates a password reset token for an operator to hand over. It works like a mailed one.
   *
   * @throws ApiError 404 if there is no such account
   */
  passwordResetToken(collection: C['name'], id: string): Promise<{ token: string; expires: Date }>
  /** Deletes files that a crash left without a record. Call it periodically. @returns how many */
  sweepFiles(): Promise<number>
  /** Lists the deletions an account can still restore, newest first. */
  listTrash(account: string, limit: number): Promise<TrashEntry<C>[]>
  /** All records of those deletions, a few at a time; see `trashedRecords` in ./trash/find.ts. */
  trashedRecords(account: string): AsyncIterable<(TrashedRecord<C> & { removed: number })[]>
  /**
   * Permanently deletes what can no longer be restored, with its files. Call it periodically.
   *
   * @returns the number of deletions removed
   */
  sweepTrash(): Promise<number>
  /** The number of realtime clients connected to this process. */
  liveClients(): number
  /** Ends realtime connections and waits for background work. Doesn't close the database. */
  close(): Promise<void>
}

/** Creates the record service for one database. @throws if one of the schema's rules is invalid */
export function createRecords<C extends Collection>(options: RecordsOptions<C>): Records<C> {
  const { database, schema, secret, appUrl, onOtp } = options
  refuseBrokenRules(database.dialect, schema)
  const now = options.now ?? (() => new Date())
  const report = options.onError ?? ((error) => console.error(error))
  const realtime = new Realtime({ database, schema, now, report })
  const core: Core = {
    database,
    schema,
    hooks: withTokenHooks((options.hooks ?? {}) as Core['hooks'], schema, now),
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
    passwords: new Passwords(options.passwordCost),
    sessions: sessionsOf(schema),
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
  const records: Records = {
    routes: apiRoutes({
      core,
      auth,
      fileTokens: new FileTokens(core, secret),
      realtime,
      clientAddress,
      guard: options.guard,
      answerFailure: options.answerFailure,
    }),
    async authenticate(request, need = isSafe(request) ? 'read' : 'write') {
      const viewer = await auth.authenticate(request)
      requireScope(viewer, need)
      return viewer
    },
    readAs: (request, name, id) => auth.readAs(request, schema.get(name), id),
    sessionCookies: auth.sessionCookies,
    refuseForeignOrigin: (request) => refuseForeignOrigin(request, auth.ownPages),
    cors: cors(auth.appOrigin),
    limitRequests: limitRequests(core.limits, clientAddress),
    chargeRequests: chargeRequests(core.limits, clientAddress),
    write: (work, options) => transact(core, work, options),
    storeUploads: (name, id, uploads) => storeUploads(core.files, schema.get(name), id, uploads),
    find: (name, id) => findRecord(database, schema.get(name), id),
    recordsOf: (name, field, id) => recordsOf(database, schema.get(name), field, id),
    total: (name, query) => totalOf(database, schema, schema.get(name), query),
    findMfaAccount: (name, mfaId) => findMfaAccount(core, schema.get(name), mfaId),
    otpDelivered: (name, email) => startOtpLife(core, schema.get(name), email),
    openSessions: (viewer) => openSessions(core, schema.get(viewer.collectionName), viewer),
    endSession: async ({ id, session }) => void (await endSession(core, id, session)),
    confirmPassword: (viewer, password, network) =>
      confirmPassword(core, viewer, password, network),
    confirmedAt: (viewer) => confirmedAt(core, viewer),
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
  // The names lead to the records of these collections, which the compiler can't see from the schema.
  return records as Records<C>
}
