import { isIPv6 } from 'node:net'
import type { Context } from 'hono'

/**
 * @param address an IP address; anything else is returned unchanged
 * @returns the network that counts as one client: an IPv4 address, or an IPv6 /64, which one
 *   household gets
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  // The URL parser normalises every way to write an IPv6 address.
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const groups = [
    ...before,
    ...Array.from<string>({
      length: tail === undefined ? 0 : 8 - before.length - after.length,
    }).fill('0'),
    ...after,
  ]
  const mapped = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(groups.join(':'))
  if (mapped)
    return mapped
      .slice(1)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((pair) => [pair >> 8, pair & 255])
      .join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * The address of the connection's other end.
 *
 * @returns '' for an in-process call, and if the HTTP adapter isn't @hono/node-server
 */
export function socketAddress(c: Context): string {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return plainAddress(env?.incoming?.socket?.remoteAddress ?? '')
}

/** Unwraps an IPv4 address that an IPv6 socket reports as `::ffff:1.2.3.4`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

const loopback = clientNetwork('::1')

/**
 * @param network from {@link clientNetwork}
 * @returns whether it doesn't identify a client: it is empty, this machine, or a proxy on it
 */
export function isSharedNetwork(network: string): boolean {
  return network === '' || network === loopback || network.startsWith('127.')
}
