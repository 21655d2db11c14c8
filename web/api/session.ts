import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { ClientResponseError } from 'pocketbase'
import { useEffect } from 'react'
import { redirect, useRevalidator } from 'react-router'
import type { Settings, User } from '#shared/account.ts'
import { useApi } from './context.ts'
import type { LoadInput } from './load.ts'

/** Who is signed in, with what was set. */
export interface Session {
  user: User
  settings: Settings | null
}

export function sessionQuery(api: PocketBase) {
  return queryOptions({
    queryKey: ['session'],
    queryFn: () => readSession(api),
    staleTime: 10 * 60_000,
    gcTime: 15 * 60_000,
    retry: false,
  })
}

/** @returns the signed-in reader, or null; in the browser the session is renewed on the way */
async function readSession(api: PocketBase): Promise<Session | null> {
  try {
    const user = import.meta.env.SSR
      ? await readOwnUser(api)
      : (await api.collection<User>('users').authRefresh()).record
    return user && { user, settings: await readSettings(api, user.id) }
  } catch (error) {
    if (error instanceof ClientResponseError && [401, 403, 404].includes(error.status)) return null
    throw error
  }
}

async function readOwnUser(api: PocketBase): Promise<User | null> {
  if (!api.authStore.isValid || !api.authStore.record) return null
  const user = await api.collection<User>('users').getOne(api.authStore.record.id)
  // Only the account itself sees its address: without it the token no longer counts.
  return user.email ? user : null
}

async function readSettings(api: PocketBase, user: string): Promise<Settings | null> {
  const filter = api.filter('user = {:user}', { user })
  const list = await api.collection<Settings>('settings').getList(1, 1, { filter, skipTotal: true })
  return list.items[0] ?? null
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
    const { queryKey } = sessionQuery(api)
    if (queries.getQueryData(queryKey)) void queries.invalidateQueries({ queryKey })
  }, [api, queries])
}

/**
 * A reader who signs out in one tab is signed out in all. Visitors wait for nothing and fetch none
 * of it.
 */
export function useSignOutElsewhere(): void {
  const queries = useQueryClient()
  const { revalidate } = useRevalidator()
  const isReader = Boolean(useSession())
  useEffect(() => {
    if (!isReader) return
    let end: (() => void) | undefined
    let isOver = false
    void import('./sign-out-notice.ts').then(
      ({ watchSignOut }) => {
        if (!isOver) end = watchSignOut(queries, () => void revalidate())
      },
      // Without it the tab learns with its next write.
      () => undefined,
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [isReader, queries, revalidate])
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

/** The step between the password and the code. */
export interface SecondStep {
  email: string
  password: string
  mfaId: string
  otpId: string
}

/**
 * The first step of signing in: the password, then a code is mailed, in place of one before.
 *
 * @throws a ClientResponseError when the password is wrong, or codes were sent too often
 */
export async function signIn(
  api: PocketBase,
  { email, password }: { email: string; password: string },
): Promise<SecondStep> {
  const mfaId = await passwordStep(api, email, password)
  const { otpId } = await api.collection('users').requestOTP(email, { mfaId })
  return { email, password, mfaId, otpId }
}

async function passwordStep(api: PocketBase, email: string, password: string): Promise<string> {
  const { mfaId }: { token: string; mfaId?: unknown } = await api
    .collection('users')
    .authWithPassword(email, password)
  if (typeof mfaId === 'string') return mfaId
  throw new Error('The server signed in without a code.')
}

/** The second step: the mailed code. The session is then in the cookie. */
export async function confirmCode(api: PocketBase, step: SecondStep, code: string): Promise<void> {
  await api.collection('users').authWithOTP(step.otpId, code, { mfaId: step.mfaId })
}

/** Makes an account; its first sign-in is a step of its own, so that it can be tried again. */
export async function createAccount(
  api: PocketBase,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await api.collection('users').create({ email, password, passwordConfirm: password })
}

/** Ends the session on the server and forgets it here. */
export async function signOut(api: PocketBase): Promise<void> {
  await api.send('/api/v1/auth/logout', { method: 'POST' })
  api.authStore.clear()
}

/** After signing in: who it is, and nothing of what was fetched as a visitor. */
export async function startReader(api: PocketBase, queries: QueryClient): Promise<Session | null> {
  const session = await queries.fetchQuery({ ...sessionQuery(api), staleTime: 0 })
  forgetUnseen(queries)
  return session
}

/**
 * What one viewer fetched may not be for the next. What is on the screen stays until it is left:
 * call this again after leaving it.
 */
export function forgetUnseen(queries: QueryClient): void {
  const kept = new Set<unknown>(['session', 'site'])
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey: [name] }) => !kept.has(name),
  })
}

/** Saves settings as they are chosen: shown at once, taken back if the server refuses. */
export function useSettingsSave(settings: Settings) {
  const api = useApi()
  const queries = useQueryClient()
  const { queryKey } = sessionQuery(api)
  const show = (shown: Settings) =>
    queries.setQueryData(queryKey, (session) => session && { ...session, settings: shown })
  return useMutation({
    mutationFn: (values: Partial<Pick<Settings, 'isPrivate' | 'default_add_status'>>) =>
      api.collection<Settings>('settings').update(settings.id, values),
    onMutate: (values) => show({ ...settings, ...values }),
    onSuccess: (saved) => {
      show(saved)
      void queries.invalidateQueries({ queryKey: ['profile'] })
    },
    onError: () => show(settings),
  })
}
