import { isAddressRefused, isOnInternet, lazyFetch, checkedLookup } from '#catalogue/index.ts'
import { isWebAddress } from '#shared/webhook.ts'
import { isInNetworks } from './client-address.ts'

const connectTimeout = 5000

/** A client for addresses that readers have given; see {@link openOutgoing}. */
export interface Outgoing {
  /** Whether the address may be asked, as far as that is known without looking up a name. */
  mayReach: (url: string) => boolean
  /** Asks an address that {@link mayReach} allows. A redirect is an answer, and isn't followed. */
  fetch: ReturnType<typeof lazyFetch>['fetch']
  close(): Promise<void>
}

/**
 * @param networks private networks that may be reached besides the public internet
 * @returns a client that connects only to addresses that it has checked
 */
export function openOutgoing(networks: readonly string[]): Outgoing {
  const isAllowed = isInNetworks(networks)
  const isReachable = (address: string) => isOnInternet(address) || isAllowed(address)
  const client = lazyFetch({
    connect: { timeout: connectTimeout, lookup: checkedLookup(isReachable) },
    keepAliveTimeout: 1000,
  })
  return {
    mayReach: (url) => isWebAddress(url) && !isAddressRefused(new URL(url).hostname, isReachable),
    fetch: (url, init) =>
      client.fetch(url, {
        ...init,
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        headers: { 'User-Agent': 'Octavo', ...(init?.headers as Record<string, string>) },
      }),
    close: () => client.close(),
  }
}

/** The longest wait that an address can ask for, in milliseconds. */
const maxWait = 24 * 3_600_000

/**
 * @param header an answer's `Retry-After`: seconds, or a date
 * @returns milliseconds for which the address asks not to be tried again
 */
export function waitOf(header: string | null): number {
  if (!header) return 0
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return wait > 0 ? Math.min(wait, maxWait) : 0
}

/** @returns whether a request failed because it took too long */
export function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  const isLateConnect =
    cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT'
  return error.name === 'TimeoutError' || isLateConnect
}
