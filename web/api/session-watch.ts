import type { Query, QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { listen } from './event-stream.ts'
import { endSession, whenSignedIn } from './session.ts'
import { onSignOut, isSigningOut } from './sign-out-notice.ts'
import { isPersonal, keys } from './query-keys.ts'

interface Watch {
  api: PocketBase
  queries: QueryClient
  /** Has the reader sign in again where they are. @returns whether they did */
  askAgain: () => Promise<boolean>
  /** Called when the reader's own data has left the cache. */
  onEnd: () => void
}

/** Calls that are about signing in: their refusals are their own. */
const signing = /\/(?:auth-|request-|confirm-)[\w-]+(?:\?|$)|\/auth\/logout$/

/**
 * Watches over a reader's session. One that was ended on purpose, in another tab or from another
 * device, ends here at once. One that has merely run out is found out by the next call: the reader
 * signs in again where they are, and the call is made once more, so that nothing typed is lost.
 *
 * @returns ends it
 */
export function watchSession({ api, queries, askAgain, onEnd }: Watch): () => void {
  const isReader = () => Boolean(queries.getQueryData(keys.session)) && !isSigningOut()

  async function follow(): Promise<void> {
    if (!isReader()) return
    await endSession(queries)
    queries.removeQueries({ type: 'inactive', predicate: isPersonal })
    const isForAll = (query: Query) => isPersonal(query) && query.meta !== whenSignedIn
    await queries.invalidateQueries({ predicate: isForAll })
    onEnd()
  }

  let asking: Promise<boolean> | undefined
  function askOnce(): Promise<boolean> {
    asking ??= askAgain().finally(() => (asking = undefined))
    return asking
  }

  async function guarded(url: string, init?: RequestInit): Promise<Response> {
    const wasReader = isReader()
    const answer = await fetch(url, init)
    const isOver = answer.headers.get('x-session') === 'none' || answer.status === 401
    if (!isOver || !wasReader || !isReader()) return answer
    // The way back in through a window listens itself, and must not wait for its own end.
    if (asking && url.endsWith('/api/realtime')) return answer
    if (await askOnce()) return fetch(url, init)
    if (isRead(init)) void follow()
    return answer
  }

  // The client's addresses are texts.
  const guardedFetch: typeof fetch = (input, init) =>
    typeof input === 'string' ? guarded(input, init) : fetch(input, init)
  const before = api.beforeSend
  api.beforeSend = async (url, options) => {
    const asked = (await before?.(url, options)) ?? { url, options }
    if (signing.test(url)) return asked
    return { ...asked, options: { ...asked.options, fetch: guardedFetch } }
  }
  const ends = [
    () => void (before ? (api.beforeSend = before) : delete api.beforeSend),
    onSignOut(() => void follow()),
    hearWhileSeen(api, () => void settled(queries).then(follow)),
  ]
  return () => ends.forEach((end) => end())
}

const isRead = (init?: RequestInit) => (init?.method ?? 'GET') === 'GET'

/** Waits for running mutations: deleting an account ends the session, and says so itself. */
async function settled(queries: QueryClient): Promise<void> {
  while (queries.isMutating())
    await new Promise<void>((resolve) => {
      const end = queries.getMutationCache().subscribe(() => {
        if (queries.isMutating()) return
        end()
        resolve()
      })
    })
}

/**
 * Hears from the server that the session was ended. Only while the page is seen: a browser has few
 * connections for all of its tabs.
 */
function hearWhileSeen(api: PocketBase, hear: () => void): () => void {
  let end: (() => void) | undefined
  let isOver = false
  const follow = () => {
    const wanted = document.visibilityState === 'visible' && !isOver
    if (wanted) end ??= listen(() => [api.realtime.subscribe('@session', hear)])
    else {
      end?.()
      end = undefined
    }
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', follow)
    follow()
  }
}
