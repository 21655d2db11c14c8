import PocketBase, { BaseAuthStore } from 'pocketbase'
import { currentLanguage } from '#web/i18n/language.ts'
import { getQueryClient } from './query-client.ts'
import { keys } from './query-keys.ts'
import { isVisitor } from './visitor-view.ts'

/**
 * The client of a browser: it signs in by cookie, so no script holds a token, and calls are never
 * cancelled for being alike.
 */
export function createBrowserClient(): PocketBase {
  // The server mails in the language that is asked for; the client's own default is English.
  const client = new PocketBase('/', new BaseAuthStore(), currentLanguage())
  client.autoCancellation(false)
  client.beforeSend = (url, options) => {
    // Without the cookie the server can't answer but as it answers strangers.
    if (isVisitor()) return { url, options: { ...options, credentials: 'omit' } }
    // Readings begin and end on the reader's own days.
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    options.headers = { ...options.headers, 'X-Session': 'cookie', 'X-Time-Zone': timeZone }
    if (changesCookie.test(url)) options.fetch = inTurn
    // The answer replaces the session's cookie, so it has to arrive even when the page is left.
    if (url.includes('/auth-refresh')) options.keepalive = true
    return { url, options }
  }
  client.afterSend = (response, data) => {
    const lastChange = response.headers.get('X-Last-Change')
    if (lastChange) getQueryClient().setQueryData(keys.lastChange, Number(lastChange))
    return data
  }
  return client
}

/** Calls that give the session's cookie or take it away. */
const changesCookie = /\/(?:auth-(?:refresh|with-\w+)|auth\/logout)(?:\?|$)/

/**
 * One tab after the other: a refusal of the session that was must not take away the cookie of one
 * that another tab has begun meanwhile. Browsers know such turns under https and on this machine.
 */
const inTurn: typeof fetch = (input, init) =>
  'locks' in navigator
    ? navigator.locks.request('octavo:session', () => fetch(input, init))
    : fetch(input, init)

let browserClient: PocketBase | undefined

/** @returns the one client of this browser tab */
export function getBrowserClient(): PocketBase {
  return (browserClient ??= createBrowserClient())
}
