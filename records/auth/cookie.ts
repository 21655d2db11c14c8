import type { StoredRecord } from '../schema/values.ts'
import type { Collection } from '../schema/collection.ts'

const name = 'pb_auth'

/** HttpOnly, so that scripts never see a token. */
const attributes = 'Path=/; HttpOnly; SameSite=Lax'

/**
 * The cookie of a session, in the form the official client reads: URL-encoded
 * `{"token","record"}`, the record cut down to stay below 4096 bytes.
 *
 * @param life seconds
 */
export function sessionCookie(
  token: string,
  collection: Collection,
  record: StoredRecord,
  life: number,
  isSecure: boolean,
): string {
  const { id, email, verified } = record
  const cut = { id, email, collectionId: collection.id, collectionName: collection.name, verified }
  const value = encodeURIComponent(JSON.stringify({ token, record: cut }))
  return `${name}=${value}; ${attributes}; Max-Age=${life}${isSecure ? '; Secure' : ''}`
}

/** @returns the header that deletes a browser's session cookie */
export function expiredCookie(isSecure: boolean): string {
  return `${name}=; ${attributes}; Max-Age=0${isSecure ? '; Secure' : ''}`
}

const deviceName = 'pb_device'

/** Accounts that can trust one browser, enough for a household; the oldest is dropped. */
const maxDevices = 5

/**
 * The cookie of a trusted device: the tokens of the accounts that trust it, the newest first. Only
 * the API sees it.
 *
 * @param life seconds
 */
export function deviceCookie(tokens: readonly string[], life: number, isSecure: boolean): string {
  const value = tokens.slice(0, maxDevices).join('.')
  return `${deviceName}=${value}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=${life}${isSecure ? '; Secure' : ''}`
}

/** @returns the device tokens in a request's Cookie header, not yet verified */
export function deviceTokens(header: string | null): string[] {
  const [value = ''] = cookies(header, deviceName)
  return value
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, maxDevices)
}

/**
 * @returns the distinct readable tokens in a request's Cookie header. More than one means that
 *   someone else, such as a sibling subdomain, has set a cookie with the same name
 */
export function cookieTokens(header: string | null): string[] {
  return [...new Set(cookies(header, name).map(tokenIn))].filter(Boolean)
}

/** @returns whether a Cookie header has more than one session cookie, readable or not */
export function hasSeveralSessions(header: string): boolean {
  return cookies(header, name).length > 1
}

/** @returns the Cookie header with only this token's session cookie left; with none for '' */
export function withOneSession(header: string, token: string): string {
  let isThere = false
  const kept = header.split(';').filter((part) => {
    const [value] = cookies(part, name)
    if (value === undefined) return true
    const isFirst = !isThere && tokenIn(value) === token && token !== ''
    isThere ||= isFirst
    return isFirst
  })
  return kept.map((part) => part.trim()).join('; ')
}

/** @returns the token in a session cookie's value; '' if it can't be read */
function tokenIn(value: string): string {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(value))
    if (typeof parsed !== 'object' || parsed === null || !('token' in parsed)) return ''
    return typeof parsed.token === 'string' ? parsed.token : ''
  } catch {
    // A foreign or damaged cookie counts as none.
    return ''
  }
}

function cookies(header: string | null, wanted: string): string[] {
  return (header?.split(';') ?? []).flatMap((part) => {
    const [key, value = ''] = part.trim().split('=', 2)
    return key === wanted ? [value] : []
  })
}
