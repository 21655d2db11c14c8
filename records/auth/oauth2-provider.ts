import type * as oidc from 'openid-client'
import { ApiError } from '../errors.ts'

/** A service whose accounts can sign in here. It speaks OpenID Connect. */
export interface OAuth2Provider {
  /** As clients call it, such as `google`. */
  name: string
  displayName: string
  /** Its address, which its own description and its tokens have to name exactly. */
  issuer: string
  clientId: string
  clientSecret: string
  /** SVG. */
  logo?: string
}

/** What a provider says of one of its accounts. */
export interface ProviderAccount {
  provider: OAuth2Provider
  /** Its id there: never changes, unlike an address. */
  subject: string
  /** Proved to belong to the account. */
  email: string
  name: string
  username: string
  picture: string
  claims: Readonly<Record<string, unknown>>
  accessToken: string
  refreshToken: string
  /** When the access token ends; null if that was not said. */
  expires: Date | null
}

/** Seconds until the provider has to have answered. */
const requestTimeout = 10
/** Milliseconds until a provider that could not be reached is asked again. */
const retryAfter = 30_000

/** Loaded with the first sign-in of this kind: most processes never need it. */
const client = () => import('openid-client')

/** A provider as its own description says it can be spoken to; read once. */
export class ProviderClient {
  readonly provider: OAuth2Provider
  #known: Promise<oidc.Configuration> | undefined
  #failed = -Infinity

  constructor(provider: OAuth2Provider) {
    this.provider = provider
  }

  /**
   * @returns where the browser goes to sign in; the address it comes back to is still missing
   * @throws if the provider cannot be reached
   */
  async authorizationUrl(attempt: {
    state: string
    nonce: string
    codeVerifier: string
  }): Promise<{ url: string; codeChallenge: string }> {
    const [config, oidc] = await Promise.all([this.#configuration(), client()])
    const codeChallenge = await oidc.calculatePKCECodeChallenge(attempt.codeVerifier)
    const url = oidc.buildAuthorizationUrl(config, {
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    // Clients append theirs.
    url.searchParams.delete('redirect_uri')
    return { url: `${url.href}&redirect_uri=`, codeChallenge }
  }

  /**
   * Exchanges a code for what it stands for. The signed token has to come from this provider, for
   * this application, now, and for this visit.
   *
   * @throws ApiError 400 if the provider refuses, or its answer is not what it should be
   */
  async exchange(attempt: {
    code: string
    codeVerifier: string
    nonce: string
    redirectUrl: string
  }): Promise<ProviderAccount> {
    const [config, tokens] = await this.#tokens(attempt).catch((error: unknown) => {
      throw new ApiError(400, 'Failed to fetch OAuth2 token.', {}, error)
    })
    const signed = tokens.claims()!
    const claims = await this.#claims(config, tokens, signed).catch((error: unknown) => {
      throw new ApiError(400, 'Failed to fetch OAuth2 user.', {}, error)
    })
    const text = (name: string) => {
      const value = claims[name]
      return typeof value === 'string' ? value.replaceAll('\0', '') : ''
    }
    // Whoever is not proved to own an address must not get at what belongs to it here.
    if (!text('email') || claims['email_verified'] !== true)
      throw new ApiError(
        400,
        `${this.provider.displayName} has not verified the e-mail address of this account.`,
      )
    const seconds = tokens.expiresIn()
    return {
      provider: this.provider,
      subject: signed.sub,
      email: text('email'),
      name: text('name'),
      username: text('preferred_username'),
      picture: text('picture'),
      claims,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? '',
      expires: seconds === undefined ? null : new Date(Date.now() + seconds * 1000),
    }
  }

  async #tokens(attempt: {
    code: string
    codeVerifier: string
    nonce: string
    redirectUrl: string
  }) {
    const [config, oidc] = await Promise.all([this.#configuration(), client()])
    const answer = new URL(attempt.redirectUrl)
    answer.searchParams.set('code', attempt.code)
    // Clients hand on the code alone. Nothing is lost: the token itself names its issuer.
    if (config.serverMetadata().authorization_response_iss_parameter_supported)
      answer.searchParams.set('iss', config.serverMetadata().issuer)
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    return [config, tokens] as const
  }

  /** Some providers sign who it is, and tell the rest only when asked. */
  async #claims(
    config: oidc.Configuration,
    tokens: oidc.TokenEndpointResponse,
    signed: oidc.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (signed['email'] !== undefined) return signed
    const { fetchUserInfo } = await client()
    return { ...(await fetchUserInfo(config, tokens.access_token, signed.sub)) }
  }

  #configuration(): Promise<oidc.Configuration> {
    if (this.#known) return this.#known
    const { issuer } = this.provider
    if (performance.now() - this.#failed < retryAfter)
      return Promise.reject(new Error(`${issuer} could not be reached a moment ago`))
    const known = discovered(this.provider)
    this.#known = known
    known.catch(() => {
      this.#known = undefined
      this.#failed = performance.now()
    })
    return known
  }
}

async function discovered({ issuer, clientId, clientSecret }: OAuth2Provider) {
  const oidc = await client()
  const isPlain = issuer.startsWith('http:')
  return oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretPost(clientSecret), {
    timeout: requestTimeout,
    execute: [
      // The signature is checked although the token comes straight from the provider.
      oidc.enableNonRepudiationChecks,
      ...(isPlain ? [oidc.allowInsecureRequests] : []),
    ],
  })
}
