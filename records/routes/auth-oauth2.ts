import type { ProviderAccount } from '../auth/oauth2-provider.ts'
import { ApiError } from '../errors.ts'
import { formatDate } from '../schema/coerce.ts'
import { isByCookie, refuseForeignCookie, signInAnswer, type AuthRouteDeps } from './auth-answer.ts'
import { authCollection, readForm } from './auth-form.ts'
import { requestInfo, type Handler } from './request-info.ts'

/** `POST /collections/:collection/auth-with-oauth2` */
export function oauth2Route(deps: AuthRouteDeps): Handler {
  const { core, auth } = deps
  return async (c) => {
    refuseForeignCookie(auth, c)
    const collection = authCollection(core, c)
    if (!auth.oauth2.isEnabled(collection))
      throw new ApiError(403, 'The collection is not configured to allow OAuth2 authentication.')
    const { provider, code } = await readForm(c, { provider: 100, code: 4096 })
    const body = c.get('body') ?? {}
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    const visit = {
      provider,
      code,
      codeVerifier: text('codeVerifier'),
      redirectUrl: text('redirectURL') || text('redirectUrl'),
      // As `mfaId`: the official client sends nothing of its own in this body.
      account: c.req.query('account') || text('account'),
    }
    const result = await auth.withOAuth2(
      collection,
      visit,
      requestInfo(c, 'oauth2'),
      c.get('network'),
    )
    const meta = metaOf(result.visitor, result.isNew, isByCookie(c))
    return signInAnswer(deps, collection, result.signIn, c, { context: 'oauth2', meta })
  }
}

/** @param hidesTokens where no script may see a token, it sees none of the provider's either */
function metaOf(visitor: ProviderAccount, isNew: boolean, hidesTokens: boolean): object {
  return {
    accessToken: hidesTokens ? '' : visitor.accessToken,
    avatarURL: visitor.picture,
    avatarUrl: visitor.picture,
    email: visitor.email,
    expiry: visitor.expires ? formatDate(visitor.expires) : '',
    id: visitor.subject,
    isNew,
    name: visitor.name,
    rawUser: visitor.claims,
    refreshToken: hidesTokens ? '' : visitor.refreshToken,
    username: visitor.username,
  }
}
