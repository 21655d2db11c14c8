import { sql } from 'kysely'
import type { Viewer } from '../access/request.ts'
import type { Core } from '../core.ts'
import { run } from '../database/run.ts'
import { ApiError } from '../errors.ts'
import { newId } from '../rows.ts'
import { coerce } from '../schema/coerce.ts'
import type { AuthOptions, Collection } from '../schema/collection.ts'
import { toRecord, type StoredRecord } from '../schema/values.ts'
import { write } from '../transaction.ts'
import { authenticator } from './authenticate.ts'
import { consumeOtp, dropOtp, startMfa, startOtp, tryOtp, type OtpMail } from './otp.ts'
import { verifyPassword } from './password.ts'
import {
  endAccountSessions,
  endOneSession,
  readSession,
  startSession,
  touchSession,
} from './sessions.ts'
import { Tokens } from './tokens.ts'

export type { OtpMail } from './otp.ts'

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
}

/** Sign-in by password and mailed code, and the sessions that come of it. */
export class Auth {
  /** The only origin whose pages may write with the session cookie. */
  readonly appOrigin: string
  /** Who makes a request; see `authenticate` in ../index.ts. */
  readonly authenticate: (request: Request) => Promise<Viewer | null>
  readonly #core: Core
  readonly #deps: AuthDeps
  readonly #tokens: Tokens
  readonly #pending = new Set<Promise<unknown>>()

  constructor(core: Core, deps: AuthDeps) {
    this.#core = core
    this.#deps = deps
    this.#tokens = new Tokens(deps.secret)
    this.appOrigin = new URL(deps.appUrl).origin
    this.authenticate = authenticator(core, this.#tokens, this.appOrigin, (work) =>
      this.#background(work),
    )
  }

  /**
   * @returns the id of the half-done sign-in where a code is asked for, else the session
   * @throws ApiError 400, the same for a wrong password and an unknown address
   */
  async withPassword(
    collection: AuthCollection,
    email: string,
    password: string,
  ): Promise<{ mfaId: string } | SignIn> {
    const account = await this.#accountOf(collection, email)
    const stored = account ? String(account['password']) : undefined
    if (!(await verifyPassword(stored, password)) || !account)
      throw new ApiError(400, 'Failed to authenticate.')
    const { database } = this.#core
    const now = this.#now()
    if (collection.auth.mfa.life > 0) {
      const mfaId = await database.transaction((tx) => startMfa(tx, collection, account, now))
      if (!mfaId) throw new ApiError(400, 'Failed to authenticate.')
      return { mfaId }
    }
    const id = await database.transaction((tx) => startSession(tx, collection, account.id, now))
    return this.#signIn(collection, account, { id, created: now })
  }

  /** @returns an id, whether or not there is such an account and whether or not a mail goes out */
  async requestOtp(collection: AuthCollection, email: string): Promise<string> {
    const account = await this.#accountOf(collection, email)
    if (!account) return newId()
    return write(this.#core, async (tx) => {
      const { secret } = this.#deps
      const { otpId, mail } = await startOtp(tx, collection, account.id, secret, this.#now())
      if (mail) tx.afterCommit(() => this.#send(mail))
      return otpId
    })
  }

  /** @throws ApiError 400 for a code that is not good, or a first step that is not */
  async withOtp(
    collection: AuthCollection,
    attempt: { otpId: string; code: string; mfaId: string },
  ): Promise<SignIn> {
    const core = this.#core
    const tried = await tryOtp(core, collection, attempt, this.#deps.secret)
    const created = this.#now()
    const { record, id } = await write(core, async (tx) => {
      await consumeOtp(tx, collection, attempt)
      let record = await tx.find(collection, tried.record)
      if (!record) throw new ApiError(400, 'Invalid or expired OTP.')
      // Who reads the mail owns the address.
      if (!record['verified'] && record['email'] === tried.email)
        record = await tx.update(collection, record.id, { verified: true })
      return { record, id: await startSession(tx, collection, record.id, created) }
    })
    return this.#signIn(collection, record, { id, created })
  }

  /** A new token for the same session. @throws ApiError 401 if it has ended meanwhile */
  async refresh(collection: AuthCollection, viewer: Viewer): Promise<SignIn> {
    const { database } = this.#core
    const now = this.#now()
    const session = await readSession(database, collection, viewer.session, now)
    if (!session) throw new ApiError(401)
    await database.transaction((tx) => touchSession(tx, session.id, now))
    return this.#signIn(collection, session.record, session)
  }

  async endSession(viewer: Viewer): Promise<void> {
    const { id, session } = viewer
    await write(this.#core, async (tx) => {
      await endOneSession(tx, session)
      tx.afterCommit(() => this.#core.events.signedOut({ id, session }))
    })
  }

  async endSessions(id: string): Promise<void> {
    await write(this.#core, async (tx) => {
      await endAccountSessions(tx, id)
      tx.afterCommit(() => this.#core.events.signedOut({ id }))
    })
  }

  /** Waits for what runs in the background. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
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

  async #signIn(
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

  /** Hands a mail on; a code that cannot be handed on must not count as sent. */
  #send(mail: OtpMail): void {
    const { onOtp } = this.#deps
    const handOn = async () => onOtp(mail)
    this.#background(
      handOn().catch(async (error: unknown) => {
        this.#core.report(error)
        await this.#core.database.transaction((tx) => dropOtp(tx, mail.otpId))
      }),
    )
  }
}
