import { domainToASCII, domainToUnicode } from 'node:url'
import type { Domains } from './field.ts'

const local = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const host =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\u200C-\u200D\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u
/** Invisible characters that change a word of Persian or of an Indian language, and no other. */
const joiner = /[\u200C-\u200D]/

/** @returns whether the text has the form of an email address, of at most 255 characters */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    text.length <= 255 &&
    at > 0 &&
    at <= 64 &&
    local.test(text.slice(0, at)) &&
    host.test(text.slice(at + 1)) &&
    (!joiner.test(text) || domainToASCII(text.slice(at + 1)) !== '')
  )
}

/**
 * @returns an address in the one form that is stored: letters and their marks composed, its ASCII
 *   letters in lower case, as the databases lowercase others differently, and its domain in ASCII. What isn't an address isn't made
 *   one: "ann@example。org" could sign up, and not sign in where that is checked.
 */
export function storedEmail(text: string): string {
  const lower = text.normalize('NFC').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return isEmail(text) ? withDomain(lower, domainToASCII) : lower
}

/** @returns the stored form of an address before domains were stored in ASCII */
export function unicodeEmail(stored: string): string {
  return withDomain(stored, domainToUnicode)
}

function withDomain(email: string, convert: (domain: string) => string): string {
  const [, name, domain] = /^(.*@)([^@]*(?:[^\0-\x7F]|xn--)[^@]*)$/su.exec(email) ?? []
  return name && domain ? name + (convert(domain) || domain) : email
}

/** @returns the host of an http, https or ftp URL; null for anything else */
export function urlHost(text: string): string | null {
  const url = /^(?:https?|ftp):\/\/[^\s/]/i.test(text) ? URL.parse(text) : null
  return !url || text.length > 2083 || /\s/.test(text) ? null : url.hostname
}

/** @returns whether the field accepts the host */
export function isAllowedDomain({ onlyDomains, exceptDomains }: Domains, host: string): boolean {
  return !exceptDomains?.includes(host) && (!onlyDomains?.length || onlyDomains.includes(host))
}
