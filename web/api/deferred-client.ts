import type PocketBase from 'pocketbase'
import { apiError } from './errors.ts'

/** The official client, once its code is here. */
let client: PocketBase | undefined
let loading: Promise<PocketBase> | undefined

/** @throws what a call throws that reaches no server */
function loadClient(): Promise<PocketBase> {
  loading ??= fetchClient().catch((cause: unknown) => {
    loading = undefined
    throw Object.assign(apiError(0, {}), { cause })
  })
  return loading
}

/** Fetches the official client's code ahead of the first call. */
export function prepareClient(): void {
  if (!import.meta.env.SSR) loadClient().catch(() => undefined)
}

async function fetchClient(): Promise<PocketBase> {
  // Chrome doesn't fetch a script again that failed once. A service worker has it.
  const seemsOffline = 'onLine' in navigator && !navigator.onLine
  // Browsers say so of some networks that reach the server.
  if (seemsOffline && !navigator.serviceWorker?.controller)
    await fetch('/api/health', { cache: 'no-store' })
  const { getBrowserClient } = await import('./client.ts')
  return (client = getBrowserClient())
}

/** Calls at once when the client is here: browsers open a window only straight from a press. */
function call<T>(work: (client: PocketBase) => T | Promise<T>): T | Promise<T> {
  return client ? work(client) : loadClient().then(work)
}

type Call = (...args: unknown[]) => unknown

/** Stands for a part of the client; each of its methods answers with a promise. */
function deferred(partOf: (client: PocketBase) => object): object {
  const callNamed =
    (name: PropertyKey) =>
    (...args: unknown[]) =>
      call((here) => {
        const part = partOf(here)
        return (Reflect.get(part, name) as Call).apply(part, args)
      })
  return new Proxy({}, { get: (_target, name) => callNamed(name) })
}

/** As the client's own, for texts and numbers. */
function filter(expression: string, values: Record<string, string | number> = {}): string {
  return expression.replaceAll(/\{:(\w+)\}/g, (placeholder, name: string) =>
    name in values ? JSON.stringify(values[name]) : placeholder,
  )
}

interface FileOwner {
  id: string
  collectionId: string
}

/** As the client's own, as a path. */
function getURL({ collectionId, id }: FileOwner, name: string, { thumb }: { thumb: string }) {
  return `/api/files/${collectionId}/${id}/${encodeURIComponent(name)}?thumb=${thumb}`
}

/**
 * The official client as far as the screens use it. Its code comes with the first call, so that
 * visitors who only read a page don't fetch it.
 */
export const deferredClient = {
  collection: (name: string) => deferred((here) => here.collection(name)),
  send: (...args: Parameters<PocketBase['send']>) => call((here) => here.send(...args)),
  createBatch() {
    if (client) return client.createBatch()
    prepareClient()
    throw apiError(0, {})
  },
  realtime: deferred((here) => here.realtime),
  authStore: deferred((here) => here.authStore),
  filter,
  files: { getURL },
} as unknown as PocketBase
