import { useSite } from '#web/api/site.ts'

/** Where a device finds this site. */
export interface DeviceAddress {
  /** Without a slash at the end. */
  url: string
  /** The host that only this computer can reach; '' if the address is another one. */
  onlyHere: string
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Without an address from the operator, a site is at localhost, which is no device's; the page itself
 * may be open at an address of the network.
 *
 * @param page the origin at which the page is open
 */
export function deviceAddress(site: string, page: string): DeviceAddress {
  const url = loopback.test(new URL(site).hostname) ? page : site
  const { hostname } = new URL(url)
  return { url, onlyHere: loopback.test(hostname) ? hostname : '' }
}

/** The address of this site to type on a device. Only in the browser. */
export function useDeviceAddress(): DeviceAddress {
  return deviceAddress(useSite().url, window.location.origin)
}
