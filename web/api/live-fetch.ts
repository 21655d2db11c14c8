import type { Query, QueryClient } from '@tanstack/react-query'
import { isApiError } from './errors.ts'
import { throttle } from './throttle.ts'

/** Milliseconds between two fetches of what events make stale. */
const pause = 1000
/** Seconds to wait after a refusal that doesn't say how long. */
const usualWait = 10

/**
 * Fetches what events make stale: once a second at most, however many events there are. Where the
 * server refuses because of too many requests, it waits as long as the answer says, then fetches
 * again.
 *
 * @param fetch invalidates what is stale; resolves once that is fetched or refused
 * @returns `run` after an event; `finish` ends it, and runs at once what is still due
 */
export function liveFetch(
  queries: QueryClient,
  fetch: () => Promise<unknown>,
): { run: () => void; finish: () => void } {
  let waiting: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const work = async () => {
    // Everything due is fetched after the wait.
    if (waiting !== undefined) return
    await fetch()
    const refused = queries.getQueryCache().findAll({ type: 'active', predicate: isRefused })
    if (isOver || waiting !== undefined || refused.length === 0) return
    waiting = setTimeout(again, Math.max(...refused.map(waitOf)))
  }
  const again = () => {
    waiting = undefined
    void queries.refetchQueries({ type: 'active', predicate: isRefused }).then(work)
  }
  const { run, finish } = throttle(() => void work(), pause)
  return {
    run,
    finish() {
      isOver = true
      clearTimeout(waiting)
      waiting = undefined
      finish()
    },
  }
}

const isRefused = ({ state: { error } }: Query): boolean =>
  isApiError(error) && error.status === 429

/** @returns milliseconds */
function waitOf({ state: { error } }: Query): number {
  const seconds: unknown = isApiError(error) ? error.response['retryAfter'] : undefined
  return 1000 * (typeof seconds === 'number' && seconds > 0 ? seconds : usualWait)
}
