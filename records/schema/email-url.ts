import type { Domains } from './field.ts'

const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const host =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** @returns whether the text has the form of an e-mail address, at most 255 characters */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    text.length <= 255 &&
    at > 0 &&
    at <= 64 &&
    local.test(text.slice(0, at)) &&
    host.test(text.slice(at + 1))
  )
}

/** @returns the host of an address of http, https or ftp; null for what is none */
export function urlHost(text: string): string | null {
  const url = /^(?:https?|ftp):\/\/[^\s/]/i.test(text) ? URL.parse(text) : null
  return !url || text.length > 2083 || /\s/.test(text) ? null : url.hostname
}

/** @returns whether a field takes addresses at the host */
export function isAllowedDomain({ onlyDomains, exceptDomains }: Domains, host: string): boolean {
  return !exceptDomains?.includes(host) && (!onlyDomains?.length || onlyDomains.includes(host))
}
