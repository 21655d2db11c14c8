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

/**
 * Who asks. A forwarding header is believed only when the connection itself comes from a trusted
 * network, and then only as far as its chain of trusted proxies reaches, read from the right:
 * everything further left was written by strangers.
 *
 * @param networks addresses and networks whose forwarding headers are believed
 * @returns a function from a request to an IP address, '' for a call in process
 */
export function clientAddress(networks: readonly string[]): (c: Context) => string {
  if (!networks.length) return socketAddress
  const trusted = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (c) => {
    let address = socketAddress(c)
    const chain = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
    while (isTrusted(address)) {
      const next = plainAddress(chain.pop() ?? '')
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
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
