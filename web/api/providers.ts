import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { afterLogin, afterSignUp, safeOrigin } from '#shared/origin.ts'
import { providerTokenFailed, providerUserFailed } from '#shared/sentences/answers.json'
import { t } from '#web/i18n/entry.ts'
import { errorMessage, isApiError } from './errors.ts'
import { completeSignIn } from './sign-in.ts'
import { siteQuery, type SignInProvider } from './site.ts'

/** The state that this tab stores during the visit: only the same browser can return. */
const kept = 'octavo:provider'

interface Visit {
  provider: string
  state: string
  codeVerifier: string
  redirectUrl: string
  origin: string
  /** The key of the link that a new reader came with; '' for none. */
  invitation: string
  /** The reader who links the provider's account to theirs; '' for a sign-in. */
  account: string
}

/** The message if signing in through a provider failed. */
class ProviderError extends Error {
  override name = 'ProviderError'
}

/** @returns the provider with this name; its name alone if it isn't set up */
export function providerNamed(queries: QueryClient, name: string): SignInProvider {
  const { providers = [] } = queries.getQueryData(siteQuery.queryKey) ?? {}
  return providers.find((one) => one.name === name) ?? { name, displayName: name }
}

/**
 * Leaves the page for a provider, which sends the browser back to /auth/{provider}.
 *
 * @param visit where the reader was going, the key of the link that a new one came with, and the
 *   account to link the provider's to
 * @throws if the provider is not to be had
 */
export async function startProviderSignIn(
  api: PocketBase,
  { name }: SignInProvider,
  visit: { origin: string; invitation?: string | undefined; account?: string | undefined },
): Promise<void> {
  const { origin, invitation = '', account = '' } = visit
  const { oauth2 } = await api.collection('users').listAuthMethods()
  const provider = oauth2.providers.find((one) => one.name === name)
  if (!provider) throw new ProviderError(t('provider.missing'))
  const { state, codeVerifier } = provider
  const redirectUrl = `${location.origin}/auth/${name}`
  const begun = { provider: name, state, codeVerifier, redirectUrl, origin, invitation, account }
  sessionStorage.setItem(kept, JSON.stringify(begun satisfies Visit))
  location.assign(provider.authURL + encodeURIComponent(redirectUrl))
}

/** A way back from a provider. */
export interface ProviderReturn {
  /** Where the reader was going. */
  origin: string
  invitation: string
  /** The account to link the provider's to; '' for a sign-in. */
  account: string
  /** What went wrong, if something did. */
  problem?: string
}

/**
 * Signs in who comes back from a provider. A way back can be gone once only.
 *
 * @param search of the address that the provider sent the browser to
 */
export async function finishProviderSignIn(
  api: PocketBase,
  queries: QueryClient,
  provider: SignInProvider,
  search: URLSearchParams,
): Promise<ProviderReturn> {
  const visit = readVisit()
  sessionStorage.removeItem(kept)
  const origin = safeOrigin(visit?.origin)
  const { invitation = '', account = '' } = visit ?? {}
  const about = { provider: provider.displayName }
  try {
    if (visit?.provider !== provider.name || visit.state !== search.get('state'))
      throw new ProviderError(t('provider.state'))
    const error = search.get('error')
    if (error === 'access_denied') throw new ProviderError(t('provider.cancelled', about))
    if (error !== null) throw new ProviderError(t('provider.failed', about))
    const { codeVerifier, redirectUrl } = visit
    const code = search.get('code') ?? ''
    const createData = invitation ? { invitation } : {}
    const { meta } = await api
      .collection('users')
      .authWithOAuth2Code(provider.name, code, codeVerifier, redirectUrl, createData, {
        ...(account && { query: { account } }),
      })
    await completeSignIn(api, queries)
    const isNewcomer = meta?.['isNew'] === true && origin === afterLogin
    return { origin: isNewcomer ? afterSignUp : origin, invitation, account }
  } catch (error) {
    const isOther = account && isApiError(error) && isOtherAccount(error.response['data'])
    const problem = isOther ? t('provider.taken', about) : providerErrorMessage(error, provider)
    return { origin, invitation, account, problem }
  }
}

/**
 * Signs in through a provider in a window of its own, while the page stays as it is. To be called
 * straight from a press: browsers open no window otherwise.
 *
 * @param account the only one that will do; nothing becomes of a visit by another
 */
export async function signInWithPopup(
  api: PocketBase,
  { name }: SignInProvider,
  account: string,
): Promise<void> {
  await api.collection('users').authWithOAuth2({ provider: name, query: { account } })
}

/** @returns the sentence to show for a failed way through a provider */
export function providerErrorMessage(
  error: unknown,
  { name, displayName }: SignInProvider,
): string {
  if (error instanceof ProviderError) return error.message
  const about = { provider: displayName }
  if (isApiError(error) && isUnverified(error.response['data']))
    return t('provider.unverified', about)
  // The client wraps what it finds out itself, such as a cancelled window.
  const cause: unknown = isApiError(error) ? error.originalError : undefined
  const message = cause instanceof Error ? cause.message : ''
  if (message === `Missing or invalid provider "${name}".`) return t('provider.missing')
  const key = knownErrors.get(message) ?? (isApiError(error) && knownErrors.get(error.message))
  return key ? t(key, about) : errorMessage(error)
}

/** The client's own errors, and the record service's without a field; neither has codes. */
const knownErrors = new Map<string, 'provider.cancelled' | 'provider.state' | 'provider.failed'>([
  ['OAuth2 redirect error or missing code: access_denied', 'provider.cancelled'],
  ["State parameters don't match.", 'provider.state'],
  [providerTokenFailed, 'provider.failed'],
  [providerUserFailed, 'provider.failed'],
])

/** Whether the answer says that the provider hasn't verified the account's email. */
const isUnverified = (data: unknown) =>
  (data as { email?: { code?: unknown } } | undefined)?.email?.code === 'validation_unverified'

/** Whether the answer says that the provider's account signs in to another one. */
const isOtherAccount = (data: unknown) =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, 'account')

function readVisit(): Visit | null {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(kept) ?? 'null')
    if (typeof parsed !== 'object' || parsed === null) return null
    const text = (name: keyof Visit) => String(Reflect.get(parsed, name) ?? '')
    return {
      provider: text('provider'),
      state: text('state'),
      codeVerifier: text('codeVerifier'),
      redirectUrl: text('redirectUrl'),
      origin: text('origin') || afterLogin,
      invitation: text('invitation'),
      account: text('account'),
    }
  } catch {
    return null
  }
}
