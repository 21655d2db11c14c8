import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * A lookup for connections that are made on somebody else's behalf: the address that is checked is
 * the one that is connected to, whatever the name leads to a moment later.
 *
 * @param mayReach whether an address may be connected to
 */
export function checkedLookup(
  mayReach: (address: string, hostname: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const open = addresses.filter(({ address }) => mayReach(address, hostname))
      const [first] = open
      if (!first) return callback(new Error(`${hostname} is on no public network`), '')
      if (options.all) return callback(null, open)
      return callback(null, first.address, first.family)
    })
  }
}

/**
 * Checks a host that is an address, as connections to it look nothing up.
 *
 * @param hostname of a parsed URL, in which an address has its usual form
 * @returns whether it is an address that may not be connected to; false for a name
 */
export function isAddressRefused(
  hostname: string,
  mayReach: (address: string) => boolean,
): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(address) && !mayReach(address)
}

/** All that is assigned of IPv6 so far. Source: IANA, IPv6 Global Unicast Address Assignments */
const assigned = ipaddr.IPv6.parseCIDR('2000::/3')

/** @returns whether an IPv4 or IPv6 address, including mapped ones, is public */
export function isOnInternet(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const found = ipaddr.process(address)
  return found.range() === 'unicast' && (found.kind() === 'ipv4' || found.match(assigned))
}
