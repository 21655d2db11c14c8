import { isIPv6 } from 'node:net'

/**
 * What of an address stays the same for one household: an IPv4 address, or the first 64 bits of an
 * IPv6 one, within which every device picks addresses as it likes.
 */
export function network(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [head = '', tail] = plain.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  // An IPv4 address at the end stands for two groups.
  const given = before.length + after.length + (plain.includes('.') ? 1 : 0)
  const zeros: string[] = tail === undefined ? [] : Array(Math.max(0, 8 - given)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Whether the address says nothing of who asks: none at all, or this machine or a proxy on it. */
export function isNobodys(address: string): boolean {
  return address === '' || address === '::1' || address.startsWith('127.')
}
