import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { ApiError } from '../errors.ts'
import { isLongAgo } from '../long-ago.ts'
import type { RequestInfo, Viewer } from '../filter/request.ts'
import { passkeyAttempts } from '../limits/attempts.ts'
import type { AuthCollection } from '../schema/collection.ts'
import { UniqueError } from '../database/database.ts'
import type { WriteContext } from '../write/context.ts'
import type { Core } from '../write/core.ts'
import { lockRow } from '../write/rows.ts'
import { transact } from '../write/transaction.ts'
import type { StoredRecord } from '../schema/values.ts'
import { listExternalAuths } from './external-auths.ts'
import type { AccountDeps } from './mail-links.ts'
import { createCodeVerifier, isCodeVerifier } from './oauth2-verifier.ts'
import { consumeMfa, findMfaAccount } from './otp.ts'
import { otherAccount } from './other-account.ts'
import { requirePassword } from './own-password.ts'
import {
  addPasskey,
  deletePasskey,
  findPasskey,
  listPasskeys,
  maxPasskeys,
  touchPasskey,
  type Passkey,
} from './passkeys.ts'
import { readSession } from './sessions.ts'
import { useOnce } from './use-once.ts'

/** Seconds that a challenge is good for. */
const life = 5 * 60

/** Milliseconds since signing in for which a reader without a password may add a passkey. */
const recent = 15 * 60_000

/** EdDSA, ES256 and RS256, which all authenticators know one of (COSE identifiers). */
const algorithms = [-8, -7, -257]

/** Loaded on first use: most processes never need it. */
const library = () => import('@simplewebauthn/server')

/** A sign-in with a passkey. */
export interface PasskeyAttempt {
  response: AuthenticationResponseJSON
  /** The half-done sign-in that it completes; '' for none. */
  mfaId: string
  /** The id of the only account that will do; '' for any. */
  account: string
}

/** Adds passkeys and checks what they sign. Challenges are signed, and only used ones are stored. */
export class WebAuthn {
  readonly #core: Core
  readonly #secret: string
  readonly #origin: string
  /** The domain that passkeys belong to. */
  readonly #domain: string

  /** @param appUrl the only address whose pages can use passkeys */
  constructor(core: Core, secret: string, appUrl: string) {
    const { origin, hostname } = new URL(appUrl)
    this.#core = core
    this.#secret = secret
    this.#origin = origin
    this.#domain = hostname
  }

  /**
   * Begins to add a passkey, which the account's password confirms. Where accounts have none, the
   * session must have begun in the last 15 minutes.
   *
   * @throws ApiError 400 with the error of `password`, or if the session is too old or the account
   *   has 20 passkeys
   */
  async beginRegistration(
    collection: AuthCollection,
    viewer: Viewer,
    password: string,
    network: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { database } = this.#core
    if (collection.auth.passwords === false) await this.#requireRecent(collection, viewer)
    else await requirePassword(this.#core, viewer, password, network)
    const passkeys = await listPasskeys(database, collection, viewer.id)
    if (passkeys.length >= maxPasskeys) throw new ApiError(400, tooMany)
    const { generateRegistrationOptions } = await library()
    const { name } = viewer.record
    const email = String(viewer.record['email'])
    return generateRegistrationOptions({
      rpName: this.#domain,
      rpID: this.#domain,
      userName: email,
      userDisplayName: typeof name === 'string' && name ? name : email,
      userID: new TextEncoder().encode(viewer.id),
      challenge: this.#challenge(registering(collection, viewer.id)),
      timeout: life * 1000,
      excludeCredentials: passkeys.map(({ credential, transports }) => ({
        id: credential,
        transports,
      })),
      supportedAlgorithmIDs: algorithms,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
  }

  /**
   * Adds the passkey that a browser has made, and mails the account's owner.
   *
   * @throws ApiError 400 if what it signed is not for this account, this site and a fresh challenge
   */
  async register(
    accounts: AccountDeps,
    collection: AuthCollection,
    viewer: Viewer,
    name: string,
    response: RegistrationResponseJSON,
  ): Promise<Passkey> {
    const { verifyRegistrationResponse } = await library()
    const purpose = registering(collection, viewer.id)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => this.#isChallenge(purpose, challenge),
      expectedOrigin: this.#origin,
      expectedRPID: this.#domain,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    }).catch((error: unknown) => {
      throw new ApiError(400, refused, {}, error)
    })
    if (!verified) throw new ApiError(400, refused)
    const { credential } = registrationInfo
    const add = transact(this.#core, async (tx) => {
      await lockRow(tx, collection, viewer.id, 'update')
      await this.#use(tx, response)
      const now = this.#now()
      const stored = await listPasskeys(tx, collection, viewer.id)
      if (stored.length >= maxPasskeys) throw new ApiError(400, tooMany)
      const to = String(viewer.record['email'])
      const about = { to, collection: collection.name, record: viewer.record }
      tx.afterCommit(() => accounts.mail({ kind: 'passkeyAdded', ...about, name }))
      return addPasskey(tx, collection, {
        record: viewer.id,
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name,
        created: now,
      })
    })
    return add.catch((error: unknown) => {
      throw error instanceof UniqueError ? new ApiError(400, refused, {}, error) : error
    })
  }

  /**
   * Removes a passkey.
   *
   * @throws ApiError 404 if the account has no such passkey, 400 if nothing else signs in
   */
  async remove(collection: AuthCollection, viewer: Viewer, id: string): Promise<void> {
    await transact(this.#core, async (tx) => {
      await lockRow(tx, collection, viewer.id, 'update')
      const passkeys = await listPasskeys(tx, collection, viewer.id)
      if (!passkeys.some((one) => one.id === id)) throw new ApiError(404)
      const isLast = collection.auth.passwords === false && passkeys.length === 1
      if (isLast && !(await listExternalAuths(tx, collection, viewer.id)).length)
        throw new ApiError(400, 'This is your only way to sign in. Link a provider first.')
      await deletePasskey(tx, viewer.id, id)
    })
  }

  /**
   * Begins to sign in with a passkey, alone or as the second step.
   *
   * @param mfaId the half-done sign-in to complete; '' for none
   * @throws ApiError 400 if the half-done sign-in is unknown, or its account has no passkey
   */
  async beginSignIn(
    collection: AuthCollection,
    mfaId: string,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const passkeys = mfaId ? await this.#passkeysOfMfa(collection, mfaId) : []
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID: this.#domain,
      challenge: this.#challenge(signingIn(collection, mfaId)),
      timeout: life * 1000,
      allowCredentials: passkeys.map(({ credential, transports }) => ({
        id: credential,
        transports,
      })),
      // Alone it must be two factors: the device, and a PIN or a finger.
      userVerification: mfaId ? 'preferred' : 'required',
    })
  }

  /**
   * Checks what a passkey has signed.
   *
   * @param enter signs in to the account that is found in the transaction
   * @throws ApiError 400, always the same, if anything is wrong with it; 429 after too many attempts
   */
  async signIn<T>(
    collection: AuthCollection,
    { response, mfaId, account }: PasskeyAttempt,
    request: RequestInfo,
    enter: (find: (tx: WriteContext) => Promise<{ record: StoredRecord }>) => Promise<T>,
  ): Promise<T> {
    return this.#core.limits.attempt(passkeyAttempts(request.network ?? ''), async () => {
      const passkey = await findPasskey(this.#core.database, collection, response.id)
      if (!passkey) throw new ApiError(400, refused)
      const counter = await this.#verify(collection, passkey, response, mfaId)
      if (account && account !== passkey.record) throw otherAccount()
      return enter(async (tx) => {
        await this.#use(tx, response)
        if (mfaId && (await consumeMfa(tx, mfaId)) !== passkey.record)
          throw new ApiError(400, 'Invalid or expired MFA session.')
        const isCurrent = await touchPasskey(tx, passkey, counter, this.#now())
        const record = isCurrent ? await tx.find(collection.name, passkey.record) : null
        if (!record) throw new ApiError(400, refused)
        return { record }
      })
    })
  }

  /** @returns the passkey's new counter @throws ApiError 400 */
  async #verify(
    collection: AuthCollection,
    passkey: Passkey,
    response: AuthenticationResponseJSON,
    mfaId: string,
  ): Promise<number> {
    const { verifyAuthenticationResponse } = await library()
    const { userHandle } = response.response
    const isOthers =
      userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.record
    if (isOthers) throw new ApiError(400, refused)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#isChallenge(signingIn(collection, mfaId), challenge),
      expectedOrigin: this.#origin,
      expectedRPID: this.#domain,
      requireUserVerification: !mfaId,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch((error: unknown) => {
      throw new ApiError(400, refused, {}, error)
    })
    if (!verified) throw new ApiError(400, refused)
    return authenticationInfo.newCounter
  }

  async #passkeysOfMfa(collection: AuthCollection, mfaId: string): Promise<Passkey[]> {
    const account = await findMfaAccount(this.#core, collection, mfaId)
    if (account === null) throw new ApiError(400, 'Invalid or expired MFA session.')
    const passkeys = await listPasskeys(this.#core.database, collection, account)
    if (!passkeys.length) throw new ApiError(400, 'This account has no passkey.')
    return passkeys
  }

  async #requireRecent(collection: AuthCollection, viewer: Viewer): Promise<void> {
    const now = this.#now()
    const session = await readSession(this.#core.database, collection, viewer.session, now)
    if (!session || isLongAgo(session.created, recent, now))
      throw new ApiError(400, 'Sign out and in again to add a passkey.')
  }

  #challenge(purpose: string): Uint8Array<ArrayBuffer> {
    const challenge = createCodeVerifier(this.#secret, purpose, this.#now() / 1000, life)
    return new Uint8Array(Buffer.from(challenge, 'base64url'))
  }

  #isChallenge(purpose: string, challenge: string): boolean {
    return isCodeVerifier(this.#secret, purpose, challenge, this.#now() / 1000)
  }

  /** @throws ApiError 400 if the challenge was used before */
  async #use(
    tx: WriteContext,
    { response }: { response: { clientDataJSON: string } },
  ): Promise<void> {
    const clientData: unknown = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString(),
    )
    const challenge = (clientData as { challenge: string }).challenge
    if (!(await useOnce(tx, `passkey ${challenge}`, life * 1000, this.#now())))
      throw new ApiError(400, refused)
  }

  #now(): number {
    return this.#core.now().getTime()
  }
}

const refused = 'This passkey was not accepted.'
const tooMany = 'An account can have 20 passkeys. Remove one first.'

const registering = ({ id }: AuthCollection, record: string) => `passkey of ${id} ${record}`
const signingIn = ({ id }: AuthCollection, mfaId: string) => `passkey sign-in ${id} ${mfaId}`
