import type { Query, QueryClient } from '@tanstack/react-query'
import { isApiError } from './errors.ts'

/** Milliseconds between two fetches of stale queries. */
const usualInterval = 1000
/** After a slow fetch the pause is this many times its duration, so that the page stays responsive. */
const restFactor = 4
/** The longest pause after a slow fetch, in milliseconds. */
const longestRest = 5000
/** Seconds to wait after a refusal that doesn't say how long. */
const usualWait = 10

/** Options of a query that events refresh only while it is shown. */
export const liveQuery = { staleTime: 0, refetchOnMount: 'always' } as const

/**
 * Fetches what events make stale: once a second at most, and less often where that takes the server
 * long, however many events there are. Where the server refuses because of too many requests, it
 * waits as long as the answer says, then fetches again.
 *
 * @param fetch invalidates what is stale; resolves once that is fetched or refused
 * @returns `run` after an event; `finish` ends it, and runs at once what is still due
 */
export function liveFetch(
  queries: QueryClient,
  fetch: () => Promise<unknown>,
): { run: () => void; finish: () => void } {
  let isRunning = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  let isOver = false
  const refused = { type: 'active', predicate: isRefused } as const

  async function start(): Promise<void> {
    isDue = false
    isRunning = true
    const began = performance.now()
    await Promise.all([fetch(), queries.refetchQueries(refused, { cancelRefetch: false })])
    isRunning = false
    if (isOver) return
    const took = performance.now() - began
    const waits = queries.getQueryCache().findAll(refused).map(waitOf)
    if (waits.length > 0) isDue = true
    const rest = Math.min(took * restFactor, longestRest)
    timer = setTimeout(end, Math.max(usualInterval - took, rest, ...waits))
  }
  function end(): void {
    timer = undefined
    if (isDue) void start()
  }
  return {
    run() {
      if (isRunning || timer !== undefined) isDue = true
      else void start()
    },
    finish() {
      isOver = true
      clearTimeout(timer)
      timer = undefined
      if (isDue) void fetch()
      isDue = false
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
