import type { RequestInfo, Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import { ApiError } from '../errors.ts'
import { oauth2SignUpAttempts } from '../limits/attempts.ts'
import type { AuthCollection, Collection, Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { transact } from '../write/transaction.ts'
import type { WriteContext } from '../write/context.ts'
import { readAccount, readIdentity, type PasswordAttempt } from './account.ts'
import { authenticator, type AllowedOrigins } from './authenticate.ts'
import { useLogoutToken } from './logout-token.ts'
import { mailOtpLockout, endReusedSession } from './warnings.ts'
import { findDevice, noTrust, trustDevice, touchDevice } from './devices.ts'
import { accountDepsFor, type AccountDeps, type LinkOrigin } from './mail-links.ts'
import { mailRecord, type AuthMail } from './mail.ts'
import { findOrCreateAccount, hasAccount, retryOnConflict } from './oauth2-account.ts'
import type { ProviderAccount } from './oauth2-provider.ts'
import { OAuth2, type OAuth2Options, type OAuth2Attempt } from './oauth2.ts'
import { requestOtp, type OtpMail } from './otp-request.ts'
import { consumeOtp, deleteOtp, refuseSecondPassword, startMfa, verifyOtp } from './otp.ts'
import { Pauses } from './pauses.ts'
import { rotateToken } from './rotation.ts'
import {
  endProviderSessions,
  userAgentOf,
  readSession,
  startSession,
  type ProviderOrigin,
} from './sessions.ts'
import { Tokens } from './tokens.ts'
import { verifyEmail } from './verification.ts'
import { WebAuthn, type PasskeyAttempt } from './webauthn.ts'
import { allows, type QuerySource } from '../read/read.ts'

export type { AuthMail } from './mail.ts'
export type { OtpMail } from './otp-request.ts'

interface AuthDeps extends Partial<Omit<AllowedOrigins, 'appOrigin'>> {
  secret: string
  appUrl: string
  onOtp: (mail: OtpMail) => Promise<void> | void
  onMail: (mail: AuthMail) => Promise<void> | void
  onViewer: ((viewer: Viewer) => void) | undefined
  linkOrigin: LinkOrigin | undefined
  /** By collection name. */
  oauth2: Readonly<Record<string, OAuth2Options>>
}

/** Sign-in by password, mailed code or provider, and the resulting sessions. */
export class Auth {
  /** The only origin whose pages may write with the session cookie. */
  readonly appOrigin: string
  readonly ownPages: AllowedOrigins
  /** Whether cookies are restricted to HTTPS. */
  readonly isSecure: boolean
  /** Identifies the viewer; see `authenticate` in ../index.ts. */
  readonly authenticate: (request: Request) => Promise<Viewer | null>
  /** Lets a request read as an account; see `readAs` in ../index.ts. */
  readonly readAs: (request: Request, collection: Collection, id: string) => Promise<void>
  /** Picks the session cookie that counts; see `sessionCookies` in ../index.ts. */
  readonly sessionCookies: (request: Request) => Promise<string>
  /** Dependencies of the account operations outside this class. */
  readonly accounts: AccountDeps
  /** The same for one request, whose mails may link to the origin it came from. */
  readonly accountsFor: ReturnType<typeof accountDepsFor>
  readonly oauth2: OAuth2
  readonly webAuthn: WebAuthn
  readonly #core: Core
  readonly #deps: AuthDeps
  readonly #tokens: Tokens
  readonly #pauses = new Pauses()
  readonly #pending = new Set<Promise<unknown>>()

  constructor(core: Core, deps: AuthDeps) {
    this.#core = core
    this.#deps = deps
    this.#tokens = new Tokens(deps.secret)
    this.oauth2 = new OAuth2(core, deps.secret, deps.oauth2)
    this.webAuthn = new WebAuthn(core, deps.secret, deps.appUrl)
    this.appOrigin = new URL(deps.appUrl).origin
    const { isOwnAddress, onForeignOrigin } = deps
    this.ownPages = { appOrigin: this.appOrigin, isOwnAddress, onForeignOrigin }
    this.isSecure = this.appOrigin.startsWith('https:')
    this.accounts = {
      core,
      secret: deps.secret,
      mail: (mail, undo) => {
        const record = mailRecord(core.schema.get(mail.collection), mail.record)
        this.#handOn(async () => deps.onMail({ ...mail, record }), undo)
      },
      background: (work) => this.#background(work),
    }
    this.accountsFor = accountDepsFor(this.accounts, deps.linkOrigin)
    const { authenticate, readAs, sessionCookies } = authenticator(
      core,
      this.#tokens,
      this.#pauses,
      this.ownPages,
      {
        background: this.accounts.background,
        onViewer: deps.onViewer,
        onReuse: (collection, session) => endReusedSession(this.accounts, collection, session),
      },
    )
    this.authenticate = authenticate
    this.readAs = readAs
    this.sessionCookies = sessionCookies
  }

  /**
   * @param trust from the browser's cookie; a trusted browser signs in without a code
   * @returns the id of the half-done sign-in if a code is required, otherwise the session
   * @throws ApiError 400, the same for a wrong password and an unknown identity; 403 if the
   *   collection's rule does not let the account in
   */
  async withPassword(
    collection: AuthCollection,
    attempt: PasswordAttempt,
    request: RequestInfo,
    trust = noTrust,
  ): Promise<{ mfaId: string } | SignIn> {
    const account = await readIdentity(this.#core.database, collection, attempt)
    const stored = account ? String(account['password']) : undefined
    if (!(await this.#core.passwords.verify(stored, attempt.password)) || !account)
      throw new ApiError(400, 'Failed to authenticate.')
    const needsCode = collection.auth.mfa.life > 0
    const held = { secret: this.#deps.secret, now: this.#now() }
    const device = needsCode
      ? await findDevice(this.#core.database, collection, account, trust, held)
      : ''
    if (!needsCode || device)
      return this.signIn(collection, request, async (tx) => {
        const now = await tx.find(collection.name, account.id)
        const isTrusted = !device || (await touchDevice(tx, device, this.#now()))
        const isSame = now?.['password'] === stored && now?.['tokenKey'] === account['tokenKey']
        if (!now || !isSame || !isTrusted) throw new ApiError(400, 'Failed to authenticate.')
        return { record: now, device }
      })
    if (attempt.mfaId) await refuseSecondPassword(this.#core, collection, account.id, attempt.mfaId)
    const mfaId = await transact(this.#core, async (tx) => {
      await requireAuthRule(tx, this.#core.schema, collection, account.id, request)
      return startMfa(tx, collection, account, this.#now())
    })
    if (!mfaId) throw new ApiError(400, 'Failed to authenticate.')
    return { mfaId }
  }

  async requestOtp(collection: AuthCollection, email: string, mfaId: string): Promise<string> {
    const account = await readAccount(this.#core.database, collection, email)
    const deps = { ...this.accounts, send: (mail: OtpMail) => this.#send(mail) }
    return requestOtp(deps, collection, { record: account?.id ?? '', mfaId })
  }

  /**
   * @param trust from a browser that may ask to be trusted
   * @param accounts the dependencies that send this request's mails
   * @throws ApiError 400 for an invalid code or an invalid half-done sign-in
   */
  async withOtp(
    collection: AuthCollection,
    attempt: { otpId: string; code: string; mfaId: string },
    request: RequestInfo,
    trust = noTrust,
    accounts = this.accounts,
  ): Promise<SignIn> {
    const tried = await verifyOtp(this.#core, collection, attempt, {
      secret: this.#deps.secret,
      onLockout: (id, wait) => mailOtpLockout(accounts, collection, id, wait),
    })
    // Where the code alone signs in, an unverified account's password may be a stranger's: replace
    // it.
    const proved =
      collection.auth.mfa.life > 0 ? {} : { password: await this.#core.passwords.random() }
    let trusted: string | undefined
    const signIn = await this.signIn(collection, request, async (tx) => {
      await consumeOtp(tx, collection, attempt)
      const found = await tx.find(collection.name, tried.record)
      if (!found) throw new ApiError(400, 'Invalid or expired OTP.')
      // Whoever entered the code can read this address's mail, so the address is verified.
      const isProved = found['verified'] || found['email'] !== tried.email
      const record = isProved ? found : await verifyEmail(tx, collection, found, proved)
      const { secret } = this.#deps
      const life = collection.auth.trust?.life
      if (!trust.isRequested || life === undefined) return { record }
      const known = trust.tokens
      const more = { secret, now: this.#now(), life, agent: userAgentOf(request), known }
      const device = await trustDevice(tx, collection, record, more)
      trusted = device.token
      return { record, device: device.id }
    })
    return trusted === undefined ? signIn : { ...signIn, trusted }
  }

  /**
   * Signs in someone who comes back from a provider. No code is asked for: a second step is up to
   * the provider.
   *
   * @param network where the request comes from; a new account counts as a sign-up
   * @throws ApiError 400 if the provider or a new account is refused, 429 for too many sign-ups
   */
  async withOAuth2(
    collection: AuthCollection,
    attempt: OAuth2Attempt,
    request: RequestInfo,
    network: string,
  ): Promise<{ signIn: SignIn; account: ProviderAccount; isNew: boolean }> {
    const providerAccount = await this.oauth2.finish(collection, attempt)
    const password = await this.#core.passwords.random()
    const visit = { collection, providerAccount, request, account: attempt.account, password }
    let isNew = false
    const enter = () =>
      this.signIn(collection, request, async (tx) => {
        const found = await findOrCreateAccount(tx, this.accounts, visit)
        isNew = found.isNew
        const { provider, subject: providerId, session: providerSession } = providerAccount
        const from = { provider: provider.name, providerId, providerSession }
        return { record: found.record, from }
      })
    const isKnown = await hasAccount(this.#core.database, visit)
    const attempts = isKnown ? [] : oauth2SignUpAttempts(network, () => isNew)
    const signIn = await this.#core.limits.attempt(attempts, () => retryOnConflict(enter))
    return { signIn, account: providerAccount, isNew }
  }

  /**
   * Signs in with a passkey: alone if its authenticator has verified its owner, else as the second
   * step after the password.
   *
   * @throws ApiError 400 if the passkey is refused, 429 after too many attempts
   */
  withPasskey(
    collection: AuthCollection,
    attempt: PasskeyAttempt,
    request: RequestInfo,
  ): Promise<SignIn> {
    return this.webAuthn.signIn(collection, attempt, request, (find) =>
      this.signIn(collection, request, find),
    )
  }

  /**
   * Ends the sessions that a provider says have ended there, and their live connections.
   *
   * @throws ApiError 404 if there is no such provider, 400 if the token isn't valid or was used
   *   before
   */
  async endByProvider(collection: AuthCollection, provider: string, token: string): Promise<void> {
    const logout = await this.oauth2.readLogout(collection, provider, token)
    const { subject: providerId, session: providerSession } = logout
    await transact(this.#core, async (tx) => {
      if (!(await useLogoutToken(tx, provider, logout, this.#now())))
        throw new ApiError(400, 'Invalid logout token.')
      const from = { provider, providerId, providerSession }
      for (const { id, record } of await endProviderSessions(tx, collection, from))
        tx.events.signedOut({ id: record, session: id })
    })
  }

  /**
   * Begins a session.
   *
   * @param find finds or creates the account in the session's transaction, and names the trusted
   *   device it signs in on or the provider it comes from, if any
   * @throws ApiError 403 if the collection's rule does not let the account in
   */
  async signIn(
    collection: AuthCollection,
    request: RequestInfo,
    find: (
      tx: WriteContext,
    ) => Promise<{ record: StoredRecord; device?: string; from?: ProviderOrigin }>,
  ): Promise<SignIn> {
    const created = this.#now()
    const { record, id } = await transact(this.#core, async (tx) => {
      const { record, device = '', from } = await find(tx)
      await requireAuthRule(tx, this.#core.schema, collection, record.id, request)
      const place = { agent: userAgentOf(request), device, now: created, ...(from && { from }) }
      return { record, id: await startSession(tx, collection, record.id, place) }
    })
    return this.#tokenFor(collection, record, { id, created, generation: 0 })
  }

  /**
   * Replaces the viewer's token with a new one for the same session; see ./rotation.ts.
   *
   * @throws ApiError 401 if the session has ended, 403 if the account may no longer sign in
   */
  async refresh(collection: AuthCollection, viewer: Viewer, request: RequestInfo): Promise<SignIn> {
    const { database } = this.#core
    const now = this.#now()
    const session = await readSession(database, collection, viewer.session, now)
    if (!session) throw new ApiError(401)
    await requireAuthRule(database, this.#core.schema, collection, viewer.id, request)
    const { generation: current = 0 } = viewer
    const generation = await database.transaction((tx) =>
      rotateToken(tx, session, current, now, this.#pauses),
    )
    if (generation === null) throw new ApiError(401)
    return this.#tokenFor(collection, session.record, { ...session, generation })
  }

  /** Waits for background work. */
  async close(): Promise<void> {
    this.#pauses.close()
    while (this.#pending.size) await Promise.all(this.#pending)
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

  async #tokenFor(
    collection: AuthCollection,
    record: StoredRecord,
    { id: sid, created, generation }: { id: string; created: number; generation: number },
  ): Promise<SignIn> {
    const seconds = Math.floor(this.#now() / 1000)
    const ends = Math.floor(created / 1000) + collection.auth.sessionLife
    const exp = Math.min(seconds + collection.auth.tokenLife, ends)
    const account = { id: record.id, collectionId: collection.id }
    const token = await this.#tokens.sign(
      { type: 'auth', ...account, refreshable: true, exp, sid, gen: generation },
      String(record['tokenKey']),
    )
    const viewer = {
      ...account,
      collectionName: collection.name,
      session: sid,
      generation,
      expires: exp * 1000,
      record,
    }
    return { viewer, token, life: exp - seconds }
  }

  /** A code that couldn't be sent must not count as sent. */
  #send(mail: OtpMail): void {
    this.#handOn(
      async () => this.#deps.onOtp(mail),
      () => this.#core.database.transaction((tx) => deleteOtp(tx, mail.otpId)),
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

/** A session that has just begun or been refreshed. */
export interface SignIn {
  viewer: Viewer
  token: string
  /** Seconds until the token ends. */
  life: number
  /** The token of a newly trusted device. */
  trusted?: string
}

/** @throws ApiError 403 if the collection's rule doesn't let the account sign in */
async function requireAuthRule(
  db: QuerySource,
  schema: Schema,
  collection: AuthCollection,
  id: string,
  request: RequestInfo,
): Promise<void> {
  const { rule = '' } = collection.auth
  if (rule === '' || (await allows(db, schema, collection, rule, id, request))) return
  throw new ApiError(
    403,
    "The request doesn't satisfy the collection requirements to authenticate.",
  )
}
