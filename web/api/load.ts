import {
  dehydrate,
  hashKey,
  type DehydratedState,
  type InfiniteData,
  type InfiniteQueryExecuteOptions,
  type QueryClient,
  type QueryExecuteOptions,
  type QueryKey,
} from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { data, type LoaderFunctionArgs, type Params } from 'react-router'
import { getBrowserClient } from './client.ts'
import { apiContext, queriesContext } from './context.ts'
import { errorMessageOf, isApiError } from './errors.ts'
import { getQueryClient } from './query-client.ts'

/** The arguments of a screen's loader. */
export interface LoadInput {
  api: PocketBase
  /** Fetches a query unless it is in the cache, and keeps it there for the screen. */
  fetch: <T, K extends QueryKey>(query: QueryExecuteOptions<T, Error, T, T, K>) => Promise<T>
  /**
   * Starts a list that may come later: awaited and returned on the server, shown as it loads in the
   * browser.
   */
  startPages: <T, K extends QueryKey>(
    query: InfiniteQueryExecuteOptions<T, Error, InfiniteData<T>, K, number>,
  ) => Promise<InfiniteData<T> | undefined>
  /** The same for a query of one answer. */
  start: <T, K extends QueryKey>(query: QueryExecuteOptions<T, Error, T, T, K>) => Promise<void>
  params: Params
  url: URL
}

/** The `meta` of a route whose page has its own in it; without any the root's would be added. */
export const noMeta = () => []

/** Fetches what a screen shows first; throws a redirect or an error answer to show another. */
export type Load = (input: LoadInput) => Promise<unknown>

/**
 * What a loader answers: the queries it fetched, to be hydrated by the root. As JSON text, which the
 * router passes on whole, instead of a tree of thousands of values that it takes apart and rebuilds.
 */
export interface Loaded {
  state: string
}

/** @returns what all loaders of a page fetched, as one cache */
export function loadedState(
  loaded: readonly (Partial<Loaded> | null | undefined)[],
): DehydratedState {
  const states = loaded.flatMap((one) =>
    one?.state ? [JSON.parse(one.state) as DehydratedState] : [],
  )
  // On a device whose clock is slow, the server's data would count as fresh for too long.
  const now = Date.now()
  const queries = states
    .flatMap((one) => one.queries)
    .map(({ state, ...query }) => ({
      ...query,
      state: { ...state, dataUpdatedAt: Math.min(state.dataUpdatedAt, now) },
    }))
  return { mutations: [], queries }
}

/**
 * The loader of the first request: runs in the server, over the API inside the process. All loaders
 * of a page share one cache, so what two of them need is asked once.
 */
export function serverLoader(load: Load) {
  return async ({ context, params, url }: LoaderFunctionArgs): Promise<Loaded> => {
    const queries = context.get(queriesContext)
    const fetched = new Set<string>()
    await answerErrors(
      load({ api: context.get(apiContext), params, url, ...cached(queries, fetched) }),
    )
    const state = dehydrate(queries, {
      shouldDehydrateQuery: (query) =>
        query.state.status === 'success' && fetched.has(query.queryHash),
    })
    return { state: JSON.stringify(state) }
  }
}

/** The loader of every later navigation: runs in the browser, straight to the API. */
export function browserLoader(load: Load) {
  return async ({ params, url }: LoaderFunctionArgs): Promise<null> => {
    await answerErrors(
      load({ api: getBrowserClient(), params, url, ...cached(getQueryClient(), new Set()) }),
    )
    return null
  }
}

function cached(
  queries: QueryClient,
  fetched: Set<string>,
): Pick<LoadInput, 'fetch' | 'startPages' | 'start'> {
  // Fetches again what a write has made stale, but not what is only old.
  const staleTime = Number.POSITIVE_INFINITY
  return {
    fetch: (query) => {
      fetched.add(hashKey(query.queryKey))
      return queries.query({ ...query, staleTime })
    },
    startPages: async (query) => {
      fetched.add(hashKey(query.queryKey))
      // An error stays in the cache; the list shows it and offers a retry.
      const started = queries.infiniteQuery({ ...query, staleTime }).catch(() => undefined)
      return import.meta.env.SSR ? started : undefined
    },
    start: async (query) => {
      fetched.add(hashKey(query.queryKey))
      const started = queries.query({ ...query, staleTime }).catch(() => undefined)
      if (import.meta.env.SSR) await started
    },
  }
}

/**
 * For what an address names: answers that it isn't there, whatever else is wrong with the address.
 *
 * @param message said on the error screen
 */
export function orNotFound(message: string): (error: unknown) => never {
  return (error) => {
    if (!isApiError(error) || error.status >= 500) throw error
    throw data({ message, sentence: message }, { status: 404 })
  }
}

/** An API error becomes the error screen with its status; status 0 (no network) reads as 500. */
async function answerErrors(loading: Promise<unknown>): Promise<void> {
  try {
    await loading
  } catch (error) {
    if (!isApiError(error)) throw error
    const { status, message } = error
    throw data({ message, sentence: errorMessageOf(error) }, { status: status || 500 })
  }
}
