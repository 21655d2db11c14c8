import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { plainAddress, socketAddress } from '#records/index.ts'

/** What @hono/node-server hands over beside the request; absent when a test calls in process. */
interface NodeEnvironment {
  incoming?: {
    httpVersion?: string
  }
}

/** @returns whether the text is an address or a network such as 10.0.0.0/8 */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** @returns whether the networks hold every IPv4 address there is, or every IPv6 address */
export function trustsEverybody(networks: readonly string[]): boolean {
  return networks.some((network) => network.endsWith('/0'))
}

/** Where proxies are that somebody runs in front of their own server. */
const near = blockList(
  '127.0.0.0/8 ::1 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7'.split(' '),
)

/**
 * Who asks. A forwarding header is believed only when the connection itself comes from a trusted
 * network, and then only as far as its chain of trusted proxies reaches, read from the right:
 * everything further left was written by strangers.
 *
 * @param networks addresses and networks whose forwarding headers are believed
 * @param unbelieved told once of a proxy close by that the networks do not name
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

/** Some proxies write the port along: `198.51.100.1:4711`, `[2001:db8::7]:4711`. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}

/** What proxies of all kinds leave on a request. */
const forwarding =
  /^(?:forwarded$|via$|x-(?:forwarded|real|client|cluster|original)|cf-|cdn-|true-client|fastly)/

/**
 * Whether the request comes straight from this machine, with no proxy in between. A proxy that says
 * nothing of itself still gives itself away by speaking HTTP 1.0, as nginx does unless told.
 */
export function isDirectLoopback(c: Context): boolean {
  const address = socketAddress(c)
  const { incoming } = (c.env ?? {}) as NodeEnvironment
  return (
    (address === '::1' || address.startsWith('127.')) &&
    incoming?.httpVersion !== '1.0' &&
    Object.keys(c.req.header()).every((name) => !forwarding.test(name.toLowerCase()))
  )
}

/** @returns whether an address of the web is this machine's own, which no other can reach by it */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
