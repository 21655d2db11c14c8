import { isIPv6 } from 'node:net'
import type { Context } from 'hono'

/**
 * @param address an IP address; anything else is taken as it is
 * @returns what is counted as one client: an IPv4 address, or the /64 that one household is given
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  // The parser of URLs knows every way to write an address and gives it back in one.
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
 * The other end of the connection.
 *
 * @returns '' for a call in process, and where the HTTP adapter is not @hono/node-server
 */
export function socketAddress(c: Context): string {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return plainAddress(env?.incoming?.socket?.remoteAddress ?? '')
}

/** IPv4 seen through an IPv6 socket is the IPv4 address. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

const loopback = clientNetwork('::1')

/**
 * @param network as {@link clientNetwork} gives it
 * @returns whether it says nothing of who asks: it is none, this machine, or a proxy on it
 */
export function isSharedNetwork(network: string): boolean {
  return network === '' || network === loopback || network.startsWith('127.')
}
