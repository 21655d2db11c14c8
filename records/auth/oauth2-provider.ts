import type * as oidc from 'openid-client'
import { ApiError } from '../errors.ts'
import { providerKeys, verifyLogoutToken, type Logout } from './logout-token.ts'

/** An OpenID Connect provider whose accounts can sign in here. */
export interface OAuth2Provider {
  /** The name clients use, such as `google`. */
  name: string
  displayName: string
  /**
   * Its URL. The `issuer` in its discovery document and the `iss` of its tokens must match it
   * exactly.
   */
  issuer: string
  clientId: string
  clientSecret: string
  /** SVG. */
  logo?: string
  /**
   * Whether its addresses count as verified although it doesn't say so. Whoever can choose an
   * address there can then sign in to the account that has it here.
   */
  trustsEmail?: boolean
}

/** One of a provider's accounts, as the provider describes it. */
export interface ProviderAccount {
  provider: OAuth2Provider
  /** Its id at the provider. Unlike an email address, it never changes. */
  subject: string
  /** The `sid` of its session there; '' if the provider doesn't say. */
  session: string
  /** Verified by the provider. */
  email: string
  name: string
  username: string
  picture: string
  claims: Readonly<Record<string, unknown>>
  accessToken: string
  refreshToken: string
  /** When the access token ends; null if the provider doesn't say. */
  expires: Date | null
}

/** Seconds the provider has to respond. */
const requestTimeout = 10
/** Milliseconds before an unreachable provider is tried again. */
const retryAfter = 30_000

/** Loaded on first use: most processes never need it. */
const client = () => import('openid-client')

/** A client for one provider. The discovery document is read once. */
export class ProviderClient {
  readonly provider: OAuth2Provider
  #known: Promise<oidc.Configuration> | undefined
  #keys: ReturnType<typeof providerKeys> | undefined
  #failed = -Infinity

  constructor(provider: OAuth2Provider) {
    this.provider = provider
  }

  /**
   * @returns the URL where the browser signs in, with an empty `redirect_uri` for the client to
   *   complete
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
    // Clients append their own redirect URL.
    url.searchParams.delete('redirect_uri')
    return { url: `${url.href}&redirect_uri=`, codeChallenge }
  }

  /**
   * Exchanges a code for the provider's account. The ID token must come from this provider and be
   * meant for this application and this sign-in, and it must not have expired.
   *
   * @throws ApiError 400 if the provider refuses or its response is invalid
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
    const text = (name: string) => storableText(claims[name])
    // An unverified address must not give access to the account that has it here.
    const isVerified = claims['email_verified'] === true || this.provider.trustsEmail === true
    if (!text('email') || !isVerified) {
      const message = `${this.provider.displayName} has not verified the e-mail address of this account.`
      throw new ApiError(400, message, { email: { code: 'validation_unverified', message } })
    }
    const seconds = tokens.expiresIn()
    return {
      provider: this.provider,
      subject: signed.sub,
      session: storableText(signed['sid']),
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

  /**
   * @returns what a logout token of this provider says
   * @throws ApiError 400 if it isn't a valid one for this application
   */
  async readLogout(token: string, now: Date): Promise<Logout> {
    try {
      const config = await this.#configuration()
      const {
        issuer,
        jwks_uri: keys,
        id_token_signing_alg_values_supported: algorithms = ['RS256'],
      } = config.serverMetadata()
      if (!keys) throw new Error(`${issuer} publishes no keys`)
      this.#keys ??= providerKeys(keys, requestTimeout)
      const { clientId } = this.provider
      return await verifyLogoutToken(token, { issuer, clientId, keys: this.#keys, algorithms }, now)
    } catch (error) {
      throw new ApiError(400, 'Invalid logout token.', {}, error)
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
    // Clients pass on only the code, so the `iss` parameter is filled in. The token names its
    // issuer itself.
    if (config.serverMetadata().authorization_response_iss_parameter_supported)
      answer.searchParams.set('iss', config.serverMetadata().issuer)
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    return [config, tokens] as const
  }

  /**
   * Some providers put only the subject in the ID token; the rest comes from the userinfo endpoint.
   */
  async #claims(
    config: oidc.Configuration,
    tokens: oidc.TokenEndpointResponse,
    signed: oidc.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    const isWhole = signed['email'] !== undefined && signed['email_verified'] !== undefined
    if (isWhole || !config.serverMetadata().userinfo_endpoint) return signed
    const { fetchUserInfo } = await client()
    return { ...signed, ...(await fetchUserInfo(config, tokens.access_token, signed.sub)) }
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
      // Check the signature even though the token comes straight from the provider.
      oidc.enableNonRepudiationChecks,
      ...(isPlain ? [oidc.allowInsecureRequests] : []),
    ],
  })
}

/** PostgreSQL can't store the zero character. */
const storableText = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '') : ''
