import type { Core } from '../write/core.ts'
import { ApiError, invalidForm } from '../errors.ts'
import { randomKey } from '../random.ts'
import type { Collection } from '../schema/collection.ts'
import type { Logout } from './logout-token.ts'
import { ProviderClient, type OAuth2Provider, type ProviderAccount } from './oauth2-provider.ts'
import { isCodeVerifier, createCodeVerifier, nonceOf } from './oauth2-verifier.ts'

/** How accounts of one auth collection sign in with providers. */
export interface OAuth2Options {
  providers: readonly OAuth2Provider[]
  /** The URLs a provider may send the browser back to; compared exactly. */
  redirectUrls: readonly string[]
}

/** A provider, as listed to clients. */
interface ProviderInfo {
  name: string
  displayName: string
  logo: string
  state: string
  authURL: string
  authUrl: string
  codeVerifier: string
  codeChallenge: string
  codeChallengeMethod: 'S256'
}

/** The values that a browser brings back from a provider. */
export interface OAuth2Attempt {
  provider: string
  code: string
  codeVerifier: string
  redirectUrl: string
  /** The only account to accept, such as one whose session has expired; '' for any. */
  account: string
}

/** Begins and finishes sign-ins with providers. It stores nothing in between. */
export class OAuth2 {
  readonly #core: Core
  readonly #secret: string
  readonly #options: Readonly<Record<string, OAuth2Options>>
  readonly #clients = new Map<OAuth2Provider, ProviderClient>()
  /** Providers that were reported, and haven't been reached since. */
  readonly #away = new Set<OAuth2Provider>()

  /** @param options by collection name */
  constructor(core: Core, secret: string, options: Readonly<Record<string, OAuth2Options>>) {
    this.#core = core
    this.#secret = secret
    this.#options = options
    for (const { providers } of Object.values(options))
      for (const provider of providers) this.#clients.set(provider, new ProviderClient(provider))
  }

  isEnabled(collection: Collection): boolean {
    return this.#of(collection).providers.length > 0
  }

  /** @returns the providers that can be reached, each with a new sign-in to begin */
  async providers(collection: Collection): Promise<ProviderInfo[]> {
    const { providers } = this.#of(collection)
    const asked = providers.map(async (provider) => {
      try {
        const begun = await inTime(this.#begin(collection, provider))
        this.#away.delete(provider)
        return [begun]
      } catch (cause) {
        // Everybody may ask, and the operator needs to read it once.
        if (this.#away.has(provider)) return []
        this.#away.add(provider)
        const { displayName, issuer } = provider
        this.#core.report(new Error(`${displayName} at ${issuer} is not available`, { cause }))
        return []
      }
    })
    return (await Promise.all(asked)).flat()
  }

  /**
   * @returns the provider's account
   * @throws ApiError 400 with the error of `provider` or `redirectURL`, or if the provider refuses
   */
  async finish(collection: Collection, attempt: OAuth2Attempt): Promise<ProviderAccount> {
    const { providers, redirectUrls } = this.#of(collection)
    const provider = providers.find(({ name }) => name === attempt.provider)
    if (!provider)
      throw invalidForm({
        provider: {
          code: 'validation_invalid_provider',
          message: `Provider with name ${attempt.provider} is missing or is not enabled.`,
          params: { name: attempt.provider },
        },
      })
    if (!redirectUrls.includes(attempt.redirectUrl))
      throw invalidForm({
        redirectURL: { code: 'validation_in_invalid', message: 'Must be a valid value.' },
      })
    const { code, codeVerifier, redirectUrl } = attempt
    const purpose = purposeOf(collection, provider)
    if (!isCodeVerifier(this.#secret, purpose, codeVerifier, this.#seconds()))
      throw new ApiError(400, 'Failed to fetch OAuth2 token.')
    const nonce = nonceOf(this.#secret, codeVerifier)
    const client = this.#clients.get(provider)!
    return client.exchange({ code, codeVerifier, nonce, redirectUrl })
  }

  /**
   * @returns what a provider's logout token says
   * @throws ApiError 404 if there is no such provider, 400 if the token isn't valid
   */
  async readLogout(collection: Collection, name: string, token: string): Promise<Logout> {
    const provider = this.#of(collection).providers.find((one) => one.name === name)
    if (!provider) throw new ApiError(404)
    return this.#clients.get(provider)!.readLogout(token, this.#core.now())
  }

  async #begin(collection: Collection, provider: OAuth2Provider): Promise<ProviderInfo> {
    const purpose = purposeOf(collection, provider)
    const codeVerifier = createCodeVerifier(this.#secret, purpose, this.#seconds())
    const state = randomKey(30)
    const nonce = nonceOf(this.#secret, codeVerifier)
    const client = this.#clients.get(provider)!
    const { url, codeChallenge } = await client.authorizationUrl({ state, nonce, codeVerifier })
    return {
      name: provider.name,
      displayName: provider.displayName,
      logo: provider.logo ?? '',
      state,
      authURL: url,
      authUrl: url,
      codeVerifier,
      codeChallenge,
      codeChallengeMethod: 'S256',
    }
  }

  #of(collection: Collection): OAuth2Options {
    const options = this.#options
    return Object.hasOwn(options, collection.name)
      ? options[collection.name]!
      : { providers: [], redirectUrls: [] }
  }

  #seconds(): number {
    return this.#core.now().getTime() / 1000
  }
}

/** Milliseconds that a list of providers waits for each of them. */
const patience = 3000

/**
 * Gives up on a provider that keeps the others waiting. It may still answer for the next request.
 *
 * @throws Error if it takes too long
 */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), patience)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function purposeOf(collection: Collection, provider: OAuth2Provider): string {
  return `${collection.id} ${provider.name}`
}
