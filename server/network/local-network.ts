import { isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Context } from 'hono'
import { plainAddress } from '#records/index.ts'
import { isLocalHostname } from './client-address.ts'

/** @returns the addresses at which devices in the local network reach a port of this machine */
export function localAddresses(port: number): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`)
    .filter((url) => isLocalHostname(new URL(url)))
}

/**
 * The local address at which the requesting page was opened, for links back to it. Clients can
 * forge `Host` and `Origin`: they count only if they name the address and port of the connection,
 * or this machine by its own name.
 *
 * @returns undefined for every other request, such as one through a proxy
 */
export function localOrigin(c: Context): string | undefined {
  const url = URL.parse(c.req.url)
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: Socket } }
  if (!url || !incoming?.socket || c.req.header('origin') !== url.origin) return undefined
  if (!isLocalHostname(url) || url.hostname === 'localhost') return undefined
  const { localAddress = '', localPort } = incoming.socket
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  const isHere = isIP(host) === 0 || host === plainAddress(localAddress)
  return isHere && Number(url.port || 80) === localPort ? url.origin : undefined
}
