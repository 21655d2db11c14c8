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

export interface Auth {
  appOrigin: string
  /** Who makes a request; see `authenticate` in ../index.ts. */
  authenticate: (request: Request) => Promise<Viewer | null>
  /** @returns the id of the half-done sign-in where a code is asked for, else the session */
  withPassword: (
    collection: AuthCollection,
    email: string,
    password: string,
  ) => Promise<{ mfaId: string } | SignIn>
  /** @returns an id, whether or not there is such an account and whether or not a mail goes out */
  requestOtp: (collection: AuthCollection, email: string) => Promise<string>
  withOtp: (
    collection: AuthCollection,
    attempt: { otpId: string; code: string; mfaId: string },
  ) => Promise<SignIn>
  /** A new token for the same session. */
  refresh: (collection: AuthCollection, viewer: Viewer) => Promise<SignIn>
  endSession: (viewer: Viewer) => Promise<void>
  endSessions: (recordId: string) => Promise<void>
  /** Waits for what runs in the background. */
  close: () => Promise<void>
}

interface AuthDeps {
  secret: string
  appUrl: string
  onOtp: (mail: OtpMail) => Promise<void> | void
}

/** Sign-in by password and mailed code, and the sessions that come of it. */
export function createAuth(core: Core, { secret, appUrl, onOtp }: AuthDeps): Auth {
  const tokens = new Tokens(secret)
  const pending = new Set<Promise<unknown>>()
  const appOrigin = new URL(appUrl).origin
  const now = () => core.now().getTime()

  function background(work: Promise<unknown>): void {
    const settled = work.catch(core.report).finally(() => pending.delete(settled))
    pending.add(settled)
  }

  async function accountOf(collection: Collection, email: string): Promise<StoredRecord | null> {
    const field = collection.fields.find(({ name }) => name === 'email')!
    const columns = sql.join(collection.fields.map(({ name }) => sql.ref(name)))
    const address = String(coerce(field, email))
    if (!address) return null
    const [row] = await run(
      core.database,
      sql`SELECT ${columns} FROM ${sql.table(collection.name)} WHERE email = ${address}`,
    )
    return row ? toRecord(collection, row) : null
  }

  async function signIn(
    collection: AuthCollection,
    record: StoredRecord,
    session: { id: string; created: number },
  ): Promise<SignIn> {
    const seconds = Math.floor(now() / 1000)
    const ends = Math.floor(session.created / 1000) + collection.auth.sessionLife
    const exp = Math.min(seconds + collection.auth.tokenLife, ends)
    const { id } = record
    const claims = { type: 'auth', id, collectionId: collection.id, refreshable: true } as const
    const token = await tokens.sign({ ...claims, exp, sid: session.id }, String(record['tokenKey']))
    const viewer = {
      id,
      collectionId: collection.id,
      collectionName: collection.name,
      session: session.id,
      expires: exp * 1000,
      record,
    }
    return { viewer, token, life: exp - seconds }
  }

  function send(mail: OtpMail): void {
    // Whoever hands the mail on may fail; a code that nobody gets must not count as sent.
    const handOn = async () => onOtp(mail)
    background(
      handOn().catch(async (error: unknown) => {
        core.report(error)
        await core.database.transaction((tx) => dropOtp(tx, mail.otpId))
      }),
    )
  }

  return {
    appOrigin,
    authenticate: authenticator(core, tokens, appOrigin, background),

    async withPassword(collection, email, password) {
      const account = await accountOf(collection, email)
      const stored = account ? String(account['password']) : undefined
      if (!(await verifyPassword(stored, password)) || !account)
        throw new ApiError(400, 'Failed to authenticate.')
      if (collection.auth.mfa.life > 0) {
        const mfaId = await core.database.transaction((tx) =>
          startMfa(tx, collection, account, now()),
        )
        if (!mfaId) throw new ApiError(400, 'Failed to authenticate.')
        return { mfaId }
      }
      const created = now()
      const id = await core.database.transaction((tx) =>
        startSession(tx, collection, account.id, created),
      )
      return signIn(collection, account, { id, created })
    },

    async requestOtp(collection, email) {
      const account = await accountOf(collection, email)
      if (!account) return newId()
      return write(core, async (tx) => {
        const { otpId, mail } = await startOtp(tx, collection, account.id, secret, now())
        if (mail) tx.afterCommit(() => send(mail))
        return otpId
      })
    },

    async withOtp(collection, attempt) {
      const { record: id, email } = await tryOtp(core, collection, attempt, secret)
      const created = now()
      const { record, session } = await write(core, async (tx) => {
        await consumeOtp(tx, collection, attempt)
        let record = await tx.find(collection, id)
        if (!record) throw new ApiError(400, 'Invalid or expired OTP.')
        // Who reads the mail owns the address.
        if (!record['verified'] && record['email'] === email)
          record = await tx.update(collection, id, { verified: true })
        return { record, session: await startSession(tx, collection, id, created) }
      })
      return signIn(collection, record, { id: session, created })
    },

    async refresh(collection, viewer) {
      const session = await readSession(core.database, collection, viewer.session, now())
      if (!session) throw new ApiError(401)
      await core.database.transaction((tx) => touchSession(tx, session.id, now()))
      return signIn(collection, session.record, session)
    },

    async endSession(viewer) {
      await write(core, async (tx) => {
        await endOneSession(tx, viewer.session)
        const account = { id: viewer.id, session: viewer.session }
        tx.afterCommit(() => core.events.signedOut(account))
      })
    },

    async endSessions(recordId) {
      await write(core, async (tx) => {
        await endAccountSessions(tx, recordId)
        tx.afterCommit(() => core.events.signedOut({ id: recordId }))
      })
    },

    async close() {
      await Promise.all(pending)
    },
  }
}
