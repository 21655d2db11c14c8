import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useEffect } from 'react'
import { redirect } from 'react-router'
import type { Settings, Subscription, User } from '#shared/account.ts'
import { useApi } from './context.ts'
import { isApiError } from './errors.ts'
import type { Load, LoadInput } from './load.ts'
import type { Site } from './site.ts'
import { isPersonal, keys } from './query-keys.ts'

/** The signed-in reader and their settings. */
export interface Session {
  user: User
  /** Whether they are an administrator, which only adds the screen /admin. */
  isAdmin: boolean
  settings: Settings | null
  subscription: Subscription | null
  /** Whether they have an active subscription of their own, whatever everyone's plan is. */
  hasSubscriptionStrict: boolean
}

export function sessionQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.session,
    queryFn: () => readSession(api),
    staleTime: 10 * 60_000,
    // On the server a timer would keep all of each page for as long after it was sent.
    ...(!import.meta.env.SSR && { gcTime: 15 * 60_000 }),
    retry: false,
  })
}

/** @returns the signed-in reader, or null; in the browser the session is renewed on the way */
async function readSession(api: PocketBase): Promise<Session | null> {
  try {
    const user = import.meta.env.SSR
      ? await readOwnUser(api)
      : (await api.collection<User>('users').authRefresh()).record
    if (!user) return null
    const [settings, subscription] = await Promise.all([
      readOwn<Settings>(api, 'settings', user.id),
      readOwn<Subscription>(api, 'subscriptions', user.id),
    ])
    const hasSubscriptionStrict = subscription?.status === 'active'
    return { user, isAdmin: user.isAdmin === true, settings, subscription, hasSubscriptionStrict }
  } catch (error) {
    if (isApiError(error) && [401, 403, 404].includes(error.status)) return null
    throw error
  }
}

async function readOwnUser(api: PocketBase): Promise<User | null> {
  if (!api.authStore.isValid || !api.authStore.record) return null
  const user = await api.collection<User>('users').getOne(api.authStore.record.id)
  // Only the account itself sees its address: without it the token no longer counts.
  return user.email ? user : null
}

/** The one record that a collection has of a reader. */
async function readOwn<T>(api: PocketBase, collection: string, user: string): Promise<T | null> {
  const filter = api.filter('user = {:user}', { user })
  const list = await api.collection<T>(collection).getList(1, 1, { filter, skipTotal: true })
  return list.items[0] ?? null
}

/** @returns whether the free plan's limits are lifted for a reader */
export function isPremium(session: Session | null, { plan }: Site): boolean {
  return plan === 'premium' || Boolean(session?.hasSubscriptionStrict)
}

/** @returns the signed-in reader, or null */
export function useSession(): Session | null {
  return useQuery(sessionQuery(useApi())).data ?? null
}

/** Renews a reader's session when a page is opened; one that has ended makes them a visitor. */
export function useSessionRenewal(): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    const query = sessionQuery(api)
    // Fetched without being invalidated, so that navigation doesn't wait for the answer.
    if (queries.getQueryData(query.queryKey))
      queries.query({ ...query, staleTime: 0 }).catch(() => undefined)
  }, [api, queries])
}

/** The loader of a screen for visitors alone: a reader is sent on. */
export const visitorsOnly: Load = async ({ api, fetch }) => {
  if (await fetch(sessionQuery(api))) throw redirect('/')
}

/** For a loader of a guarded screen: sends a visitor to sign in and back. */
export async function requireSession({ api, fetch, url }: LoadInput): Promise<Session> {
  const session = await fetch(sessionQuery(api))
  if (!session) throw redirect(loginPath(url.pathname + url.search))
  return session
}

/** @returns the sign-in screen's address that leads back to the path */
export function loginPath(origin: string): string {
  return `/login?origin=${encodeURIComponent(origin)}`
}

/** Marks the reader as signed out, also if a session renewal is still running. */
export async function endSession(queries: QueryClient): Promise<void> {
  const queryKey = keys.session
  await queries.cancelQueries({ queryKey })
  queries.setQueryData(queryKey, null)
}

/**
 * Removes one viewer's data before the next one's. Queries of the current screen stay: call this
 * again after leaving it.
 */
export function removeInactiveQueries(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive', predicate: isPersonal })
}

/** The `meta` of queries that need a session: they aren't fetched again once it has ended. */
export const whenSignedIn = { isForReader: true }
