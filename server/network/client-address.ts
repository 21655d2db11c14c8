import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Context } from 'hono'
import { plainAddress, socketAddress } from '#records/index.ts'

/** @returns whether the text is an address or a network such as 10.0.0.0/8 */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** @returns whether the networks contain all IPv4 or all IPv6 addresses */
export function trustsEveryProxy(networks: readonly string[]): boolean {
  return networks.some((network) => network.endsWith('/0'))
}

/** Networks in which an operator's own proxy usually is. */
const near = blockList(
  '127.0.0.0/8 ::1 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7'.split(' '),
)

/**
 * Determines the client's address. A forwarding header counts only if the connection comes from a
 * trusted network, and only as far as the chain of trusted proxies reaches from the right:
 * everything further left could be forged.
 *
 * @param networks addresses and networks whose forwarding headers are trusted
 * @param unbelieved called once with a nearby proxy that isn't in the networks
 * @returns a function from a request to an IP address, '' for a call in process
 */
export function clientAddress(
  networks: readonly string[],
  unbelieved?: (proxy: string) => void,
): (c: Context) => string {
  const trusted = blockList(networks)
  let tell = unbelieved
  return (c) => {
    let address = socketAddress(c)
    const forwarded = c.req.header('x-forwarded-for')
    if (forwarded === undefined) return address
    if (tell && !contains(trusted, address) && contains(near, address)) {
      tell(address)
      tell = undefined
    }
    const chain = forwarded.split(',').map((part) => withoutPort(part.trim()))
    while (contains(trusted, address)) {
      const next = plainAddress(chain.pop() ?? '')
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** @returns whether a request's connection comes from one of the networks */
export function isFromTrustedProxy(
  networks: readonly string[],
): (request: IncomingMessage) => boolean {
  const trusted = blockList(networks)
  return ({ socket }) => contains(trusted, plainAddress(socket.remoteAddress ?? ''))
}

/** @returns whether an address is in one of the networks */
export function isInNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = blockList(networks)
  return (address) => contains(list, plainAddress(address))
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Some proxies include the port: `198.51.100.1:4711`, `[2001:db8::7]:4711`. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}

/** Private, loopback and link-local ranges. */
const home = blockList(
  '127.0.0.0/8 ::1 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10'.split(
    ' ',
  ),
)

/**
 * Whether a URL's host can only be a nearby machine: a private IP address, or a name that public
 * DNS can't resolve. A stranger's site can point any other name here.
 */
export function isLocalHostname({ hostname: host }: URL): boolean {
  const own = hostname().toLowerCase()
  const names = own.includes('.') ? [] : [own, `${own}.local`]
  return ['localhost', ...names].includes(host) || contains(home, host.replaceAll(/^\[|\]$/g, ''))
}

/** @returns whether a URL is a loopback address */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replaceAll(/^\[|\]$/g, ''))
}

/** @param host a name or an address without brackets */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host)
}

/** The number of requests that are checked, so that the check costs nothing later. */
const looksAt = 1000

/**
 * Detects from trusted proxies' headers that readers use another address than APP_URL, for example
 * after TLS was added in front: cookies would lack `Secure`, and links would be wrong.
 *
 * @param warn called once with a message for the operator
 * @returns a function to call with every request
 */
export function publicAddressCheck(
  { appUrl, trustProxy }: { appUrl: string; trustProxy: readonly string[] },
  warn: (warning: string) => void,
): (request: IncomingMessage) => void {
  const trusted = blockList(trustProxy)
  const known = new URL(appUrl)
  let left = trustProxy.length > 0 ? looksAt : 0
  return ({ headers, socket }) => {
    if (left === 0) return
    left--
    const scheme = headers['x-forwarded-proto']
    if (scheme !== 'http' && scheme !== 'https') return
    if (!contains(trusted, plainAddress(socket.remoteAddress ?? ''))) return
    const host = String(headers['x-forwarded-host'] ?? headers.host ?? '').toLowerCase()
    // A proxy may send its internal name for this server instead.
    const isName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(?::\d+)?$/.test(host)
    const given = `${scheme}://${isName ? host : known.host}`
    if (URL.parse(given)?.origin !== known.origin)
      warn(`Readers come to ${given}, but APP_URL is ${appUrl}: set APP_URL=${given}`)
    left = 0
  }
}
