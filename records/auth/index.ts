import { sql } from 'kysely'
import type { RequestInfo, Viewer } from '../access/request.ts'
import type { Core } from '../core.ts'
import { run } from '../database/run.ts'
import { ApiError } from '../errors.ts'
import { allows, type Source } from '../read.ts'
import { coerce } from '../schema/coerce.ts'
import type { AuthOptions, Collection } from '../schema/collection.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import { write, type Writer } from '../transaction.ts'
import { authenticator } from './authenticate.ts'
import { tellCodesPaused } from './codes-paused.ts'
import type { AccountDeps } from './mail-links.ts'
import type { AuthMail } from './mail.ts'
import { accountOf, onceMore } from './oauth2-account.ts'
import type { ProviderAccount } from './oauth2-provider.ts'
import { OAuth2, type OAuth2Options, type Visit } from './oauth2.ts'
import { requestOtp, type OtpMail } from './otp-request.ts'
import { consumeOtp, dropOtp, startMfa, tryOtp } from './otp.ts'
import { randomPassword, verifyPassword } from './password.ts'
import {
  endAccountSessions,
  endOneSession,
  readSession,
  startSession,
  touchSession,
} from './sessions.ts'
import { Tokens } from './tokens.ts'
import { proveAddress } from './verification.ts'

export type { AuthMail } from './mail.ts'
export type { OtpMail } from './otp-request.ts'

export type AuthCollection = Collection & { auth: AuthOptions }

/** A session just begun or prolonged. */
export interface SignIn {
  viewer: Viewer
  token: string
  /** Seconds until the token ends. */
  life: number
}

interface AuthDeps {
  secret: string
  appUrl: string
  onOtp: (mail: OtpMail) => Promise<void> | void
  onMail: (mail: AuthMail) => Promise<void> | void
  /** By collection name. */
  oauth2: Readonly<Record<string, OAuth2Options>>
}

/** Sign-in by password and mailed code, and the sessions that come of it. */
export class Auth {
  /** The only origin whose pages may write with the session cookie. */
  readonly appOrigin: string
  /** Who makes a request; see `authenticate` in ../index.ts. */
  readonly authenticate: (request: Request) => Promise<Viewer | null>
  /** For the operations on accounts beside this class. */
  readonly accounts: AccountDeps
  readonly oauth2: OAuth2
  readonly #core: Core
  readonly #deps: AuthDeps
  readonly #tokens: Tokens
  readonly #pending = new Set<Promise<unknown>>()

  constructor(core: Core, deps: AuthDeps) {
    this.#core = core
    this.#deps = deps
    this.#tokens = new Tokens(deps.secret)
    this.oauth2 = new OAuth2(core, deps.secret, deps.oauth2)
    this.appOrigin = new URL(deps.appUrl).origin
    const background = (work: Promise<unknown>) => this.#background(work)
    this.authenticate = authenticator(core, this.#tokens, this.appOrigin, background)
    this.accounts = {
      core,
      secret: deps.secret,
      mail: (mail, undo) => this.#handOn(async () => deps.onMail(mail), undo),
      background,
    }
  }

  /**
   * @returns the id of the half-done sign-in where a code is asked for, else the session
   * @throws ApiError 400, the same for a wrong password and an unknown address; 403 if the
   *   collection's rule does not let the account in
   */
  async withPassword(
    collection: AuthCollection,
    { email, password }: { email: string; password: string },
    request: RequestInfo,
  ): Promise<{ mfaId: string } | SignIn> {
    const account = await this.#accountOf(collection, email)
    const stored = account ? String(account['password']) : undefined
    if (!(await verifyPassword(stored, password)) || !account)
      throw new ApiError(400, 'Failed to authenticate.')
    if (collection.auth.mfa.life <= 0)
      return this.signIn(collection, request, async (tx) => {
        const now = await tx.find(collection, account.id)
        if (now?.['password'] !== stored) throw new ApiError(400, 'Failed to authenticate.')
        return now!
      })
    const mfaId = await this.#core.database.transaction(async (tx) => {
      await this.#permit(tx, collection, account.id, request)
      return startMfa(tx, collection, account, this.#now())
    })
    if (!mfaId) throw new ApiError(400, 'Failed to authenticate.')
    return { mfaId }
  }

  /** See `requestOtp` in ./otp-request.ts. */
  async requestOtp(collection: AuthCollection, email: string, mfaId: string): Promise<string> {
    const account = await this.#accountOf(collection, email)
    const deps = { ...this.accounts, send: (mail: OtpMail) => this.#send(mail) }
    return requestOtp(deps, collection, { record: account?.id ?? '', mfaId })
  }

  /** @throws ApiError 400 for a code that is not good, or a first step that is not */
  async withOtp(
    collection: AuthCollection,
    attempt: { otpId: string; code: string; mfaId: string },
    request: RequestInfo,
  ): Promise<SignIn> {
    const tried = await tryOtp(this.#core, collection, attempt, {
      secret: this.#deps.secret,
      rests: (id, wait) => tellCodesPaused(this.accounts, collection, id, wait),
    })
    // Where the code alone signs in, nobody has shown to know the password of an unproved account.
    const proved = collection.auth.mfa.life > 0 ? {} : { password: await randomPassword() }
    return this.signIn(collection, request, async (tx) => {
      await consumeOtp(tx, collection, attempt)
      const record = await tx.find(collection, tried.record)
      if (!record) throw new ApiError(400, 'Invalid or expired OTP.')
      // Who reads the mail owns the address.
      if (record['verified'] || record['email'] !== tried.email) return record
      return proveAddress(tx, collection, record, proved)
    })
  }

  /**
   * Signs in who comes back from a provider. That is one step and no half: the provider has its own
   * second one.
   *
   * @throws ApiError 400 if the provider or a new account is refused
   */
  async withOAuth2(
    collection: AuthCollection,
    visit: Visit,
    request: RequestInfo,
  ): Promise<{ signIn: SignIn; visitor: ProviderAccount; isNew: boolean }> {
    const visitor = await this.oauth2.finish(collection, visit)
    const arrival = { collection, visitor, request, password: await randomPassword() }
    let isNew = false
    const enter = () =>
      this.signIn(collection, request, async (tx) => {
        const found = await accountOf(tx, this.accounts, arrival)
        isNew = found.isNew
        return found.record
      })
    const signIn = await onceMore(enter)
    return { signIn, visitor, isNew }
  }

  /**
   * Begins a session.
   *
   * @param find gives the account, by what it does in the session's transaction
   * @throws ApiError 403 if the collection's rule does not let the account in
   */
  async signIn(
    collection: AuthCollection,
    request: RequestInfo,
    find: (tx: Writer) => Promise<StoredRecord>,
  ): Promise<SignIn> {
    const created = this.#now()
    const { record, id } = await write(this.#core, async (tx) => {
      const record = await find(tx)
      await this.#permit(tx, collection, record.id, request)
      return { record, id: await startSession(tx, collection, record.id, created) }
    })
    return this.#tokenFor(collection, record, { id, created })
  }

  /**
   * A new token for the same session.
   *
   * @throws ApiError 401 if it has ended meanwhile, 403 if the account may no longer sign in
   */
  async refresh(collection: AuthCollection, viewer: Viewer, request: RequestInfo): Promise<SignIn> {
    const { database } = this.#core
    const now = this.#now()
    const session = await readSession(database, collection, viewer.session, now)
    if (!session) throw new ApiError(401)
    await this.#permit(database, collection, viewer.id, request)
    await database.transaction((tx) => touchSession(tx, session.id, now))
    return this.#tokenFor(collection, session.record, session)
  }

  async endSession(viewer: Viewer): Promise<void> {
    const { id, session } = viewer
    await write(this.#core, async (tx) => {
      await endOneSession(tx, session)
      tx.events.signedOut({ id, session })
    })
  }

  async endSessions(id: string): Promise<void> {
    await write(this.#core, async (tx) => {
      await endAccountSessions(tx, id)
      tx.events.signedOut({ id })
    })
  }

  /** Waits for what runs in the background. */
  async close(): Promise<void> {
    while (this.#pending.size) await Promise.all(this.#pending)
  }

  async #permit(
    db: Source,
    collection: AuthCollection,
    id: string,
    request: RequestInfo,
  ): Promise<void> {
    const { rule = '' } = collection.auth
    if (rule === '' || (await allows(db, this.#core.schema, collection, rule, id, request))) return
    throw new ApiError(
      403,
      "The request doesn't satisfy the collection requirements to authenticate.",
    )
  }

  #now(): number {
    return this.#core.now().getTime()
  }

  #background(work: Promise<unknown>): void {
    const settled = work
      .catch((error: unknown) => this.#core.report(error))
      .finally(() => this.#pending.delete(settled))
    this.#pending.add(settled)
  }

  async #accountOf(collection: AuthCollection, email: string): Promise<StoredRecord | null> {
    const field = collection.fields.find(({ name }) => name === 'email')!
    const columns = sql.join(collection.fields.map(({ name }) => sql.ref(name)))
    const address = String(coerce(field, email))
    if (!address) return null
    const [row] = await run(
      this.#core.database,
      sql`SELECT ${columns} FROM ${sql.table(collection.name)} WHERE email = ${address}`,
    )
    return row ? toRecord(collection, row) : null
  }

  async #tokenFor(
    collection: AuthCollection,
    record: StoredRecord,
    session: { id: string; created: number },
  ): Promise<SignIn> {
    const seconds = Math.floor(this.#now() / 1000)
    const ends = Math.floor(session.created / 1000) + collection.auth.sessionLife
    const exp = Math.min(seconds + collection.auth.tokenLife, ends)
    const account = { id: record.id, collectionId: collection.id }
    const token = await this.#tokens.sign(
      { type: 'auth', ...account, refreshable: true, exp, sid: session.id },
      String(record['tokenKey']),
    )
    const viewer = {
      ...account,
      collectionName: collection.name,
      session: session.id,
      expires: exp * 1000,
      record,
    }
    return { viewer, token, life: exp - seconds }
  }

  /** A code that cannot be handed on must not count as sent. */
  #send(mail: OtpMail): void {
    this.#handOn(
      async () => this.#deps.onOtp(mail),
      () => this.#core.database.transaction((tx) => dropOtp(tx, mail.otpId)),
    )
  }

  #handOn(handOn: () => Promise<void>, undo?: () => Promise<unknown>): void {
    this.#background(
      handOn().catch(async (error: unknown) => {
        this.#core.report(error)
        await undo?.()
      }),
    )
  }
}
