import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, importJWK, SignJWT, decodeJwt } from 'jose'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { OAuth2Provider } from '#records/index.ts'

/** Somebody with an account at the provider. */
export interface Person {
  sub: string
  email: string
  email_verified: boolean
  name?: string
}

/** A real OpenID provider on this machine, whose people sign in without a form. */
export interface OpenIdProvider {
  /** As the record service wants to know it. */
  provider: OAuth2Provider
  people: Map<string, Person>
  /** Who signs in when the browser does not say: the `sub` of one of the people. */
  whoever: string
  /** Whether they change their mind instead. */
  cancels: boolean
  /** Changes what the signed token says before it is signed; undefined leaves it. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Signs with a key that is not the provider's. */
  forgesKey: boolean
  /** Tells who signed in, but nothing of them when asked. */
  tellsNothing: boolean
  /** The session that each person has there, by their `sub`: the `sid` of its last token. */
  sessions: Map<string, string>
  /**
   * @param change changes what the token says
   * @returns a token that says that a session, or all of a person's, have ended
   */
  logoutToken(
    about: { sub?: string; sid?: string },
    change?: (claims: Record<string, unknown>) => Record<string, unknown>,
    header?: { typ?: string },
  ): Promise<string>
  /** Ends a person's session there, and tells the application at the URL. */
  endSession(sub: string, url: string): Promise<void>
  /**
   * What the browser does: follows the redirects, signing in as the person.
   *
   * @returns the address it is sent back to
   */
  visit(url: string, sub: string): Promise<URL>
  close(): Promise<void>
}

/** What its types leave out. */
interface BackchannelClient {
  backchannelLogoutUri: string
  backchannelLogout(sub: string, sid: string): Promise<void>
}

const clientId = 'client'
const clientSecret = 'the secret of the client'

/**
 * @param redirectUrls where the application lets browsers come back to; may grow
 * @param inToken whether the signed token holds the address, or only the userinfo endpoint tells it
 */
export async function openProvider(
  redirectUrls: string[],
  { inToken = true } = {},
): Promise<OpenIdProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'k' }
  const key = await importJWK(jwk, 'RS256')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Person>()
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['http://127.0.0.1/'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
        // Replaced when a session ends, as the application's port is known later.
        backchannel_logout_uri: 'http://127.0.0.1/',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key for cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !inToken,
    // Said, so that it does not remark on its defaults.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // The application is on this machine, which the provider refuses to call by default.
    fetch: (url: URL | RequestInfo, options?: RequestInit) =>
      fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ ...(people.get(sub) ?? { sub }) }),
    }),
    // Everybody has agreed already.
    async loadExistingGrant(ctx: KoaContextWithOIDC) {
      const accountId = ctx.oidc.session?.accountId ?? ''
      const grant = new oidc.Grant({ accountId, clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // Ports are known later than the provider is needed.
  oidc.Client.prototype.redirectUriAllowed = (uri) => redirectUrls.includes(uri)
  const opened: OpenIdProvider = {
    provider: { name: 'google', displayName: 'Google', issuer, clientId, clientSecret },
    people,
    whoever: '',
    cancels: false,
    forge: undefined,
    forgesKey: false,
    tellsNothing: false,
    sessions: new Map(),
    logoutToken: (about, change = (claims) => claims, header = { typ: 'logout+jwt' }) => {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...about,
      }
      return new SignJWT(change(claims))
        .setProtectedHeader({ alg: 'RS256', kid: 'k', ...header })
        .sign(opened.forgesKey ? foreign.privateKey : key)
    },
    async endSession(sub, url) {
      const client = (await oidc.Client.find(clientId)) as unknown as BackchannelClient
      client.backchannelLogoutUri = url
      await client.backchannelLogout(sub, opened.sessions.get(sub) ?? '')
    },
    visit,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  oidc.use(async (ctx, next) => {
    if (ctx.path === '/me' && opened.tellsNothing) return void (ctx.status = 503)
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (ctx.path !== '/token' || !body?.id_token) return
    const { sub = '', sid } = decodeJwt(body.id_token)
    opened.sessions.set(sub, String(sid))
    if (!opened.forge && !opened.forgesKey) return
    const claims = decodeJwt(body.id_token)
    const forged = new SignJWT(opened.forge?.(claims) ?? claims)
    body.id_token = await forged
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(opened.forgesKey ? foreign.privateKey : key)
  })
  const handle = oidc.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return void handle(request, response)
    oidc
      .interactionDetails(request, response)
      .then(({ params }) =>
        oidc.interactionFinished(
          request,
          response,
          opened.cancels
            ? { error: 'access_denied', error_description: 'changed their mind' }
            : { login: { accountId: hint(params) ?? opened.whoever } },
        ),
      )
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return opened
}

function hint({ login_hint: sub }: Record<string, unknown>): string | undefined {
  return typeof sub === 'string' ? sub : undefined
}

async function visit(start: string, sub: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  const { origin } = url
  url.searchParams.set('login_hint', sub)
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
    if (url.origin !== origin) return url
  }
  throw new Error('the provider redirects for ever')
}
