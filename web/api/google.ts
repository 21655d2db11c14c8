import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { afterLogin, afterSignUp, safeOrigin } from '#shared/origin.ts'
import { t } from '#web/i18n/entry.ts'
import { errorMessage, isApiError } from './errors.ts'
import { completeSignIn } from './sign-in.ts'

/** The state that this tab stores during the visit: only the same browser can return. */
const kept = 'octavo:google'

interface Visit {
  state: string
  codeVerifier: string
  redirectUrl: string
  origin: string
  /** The key of the link that a new reader came with; '' for none. */
  invitation: string
}

/** The message if signing in through Google failed. */
class GoogleError extends Error {
  override name = 'GoogleError'
}

/**
 * Leaves the page for Google, which sends the browser back to /auth/google.
 *
 * @param visit where the reader was going, and the key of the link that a new one came with
 * @throws if Google is not to be had
 */
export async function startGoogleSignIn(
  api: PocketBase,
  { origin, invitation = '' }: { origin: string; invitation?: string | undefined },
): Promise<void> {
  const { oauth2 } = await api.collection('users').listAuthMethods()
  const provider = oauth2.providers.find(({ name }) => name === 'google')
  if (!provider) throw new GoogleError(t('google.provider'))
  const { state, codeVerifier } = provider
  const redirectUrl = `${location.origin}/auth/google`
  sessionStorage.setItem(
    kept,
    JSON.stringify({ state, codeVerifier, redirectUrl, origin, invitation } satisfies Visit),
  )
  location.assign(provider.authURL + encodeURIComponent(redirectUrl))
}

/**
 * Signs in who comes back from Google. A way back can be gone once only.
 *
 * @param search of the address that Google sent the browser to
 * @returns where the reader was going, and what went wrong, if something did
 */
export async function finishGoogleSignIn(
  api: PocketBase,
  queries: QueryClient,
  search: URLSearchParams,
): Promise<{ origin: string; invitation: string; problem?: string }> {
  const visit = readVisit()
  sessionStorage.removeItem(kept)
  const origin = safeOrigin(visit?.origin)
  const invitation = visit?.invitation ?? ''
  try {
    if (!visit || visit.state !== search.get('state')) throw new GoogleError(t('google.state'))
    const error = search.get('error')
    if (error === 'access_denied') throw new GoogleError(t('google.cancelled'))
    if (error !== null) throw new GoogleError(t('google.failed'))
    const { codeVerifier, redirectUrl } = visit
    const code = search.get('code') ?? ''
    const createData = invitation ? { invitation } : {}
    const { meta } = await api
      .collection('users')
      .authWithOAuth2Code('google', code, codeVerifier, redirectUrl, createData)
    await completeSignIn(api, queries)
    const isNewcomer = meta?.['isNew'] === true && origin === afterLogin
    return { origin: isNewcomer ? afterSignUp : origin, invitation }
  } catch (error) {
    return { origin, invitation, problem: googleErrorMessage(error) }
  }
}

/**
 * Signs in through Google in a window of its own, while the page stays as it is. To be called
 * straight from a press: browsers open no window otherwise.
 *
 * @param account the only one that will do; nothing becomes of a visit by another
 */
export async function signInWithPopup(api: PocketBase, account: string): Promise<void> {
  await api.collection('users').authWithOAuth2({ provider: 'google', query: { account } })
}

/** @returns the sentence to show for a failed way through Google */
export function googleErrorMessage(error: unknown): string {
  if (error instanceof GoogleError) return error.message
  // The client wraps what it finds out itself, such as a cancelled window.
  const cause: unknown = isApiError(error) ? error.originalError : undefined
  const key = cause instanceof Error ? clientErrors.get(cause.message) : undefined
  return key ? t(key) : errorMessage(error)
}

/** The client has no codes for what it finds out itself. */
const clientErrors = new Map<string, 'google.cancelled' | 'google.state' | 'google.provider'>([
  ['OAuth2 redirect error or missing code: access_denied', 'google.cancelled'],
  ["State parameters don't match.", 'google.state'],
  ['Missing or invalid provider "google".', 'google.provider'],
])

function readVisit(): Visit | null {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(kept) ?? 'null')
    if (typeof parsed !== 'object' || parsed === null) return null
    const text = (name: keyof Visit) => String(Reflect.get(parsed, name) ?? '')
    return {
      state: text('state'),
      codeVerifier: text('codeVerifier'),
      redirectUrl: text('redirectUrl'),
      origin: text('origin') || afterLogin,
      invitation: text('invitation'),
    }
  } catch {
    return null
  }
}
