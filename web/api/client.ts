import PocketBase, { BaseAuthStore, type SendOptions } from 'pocketbase'
import { deviceTimeZone } from '#web/i18n/device-time-zone.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { translatorLoaded } from '#web/i18n/lazy-answers.ts'
import { getQueryClient } from './query-client.ts'
import { keys } from './query-keys.ts'
import { noteServerTime } from './server-time.ts'
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
    const zone = { 'X-Time-Zone': deviceTimeZone() }
    options.headers = { ...zone, ...options.headers, 'X-Session': 'cookie' }
    options.fetch = changesCookie.test(url) ? inTurn : outlivingPage
    return { url, options }
  }
  client.afterSend = async (response: Response, data: unknown, options?: SendOptions) => {
    const isNew = options?.method !== 'GET' || response.headers.get('Cache-Control') === 'no-store'
    if (isNew) noteServerTime(response.headers.get('Date'))
    // Screens show what an error says. On a slow connection its translations may still be loading.
    if (!response.ok) await translatorLoaded()
    const lastChange = response.headers.get('X-Last-Change')
    if (lastChange) getQueryClient().setQueryData(keys.lastChange, Number(lastChange))
    if (response.ok) return data
    // Errors have no headers.
    const retryAfter = Number(response.headers.get('Retry-After'))
    return {
      ...(data as object),
      ...(response.status === 429 && { retryAfter }),
      ...(response.headers.get('X-Session') === 'none' && { isNobodys: true }),
    }
  }
  return client
}

/** Calls that give the session's cookie or take it away. */
const changesCookie = /\/(?:auth-(?:refresh|with-\w+)|auth\/logout)(?:\?|$)/

/**
 * One tab after the other: a refusal of the session that was must not take away the cookie of one
 * that another tab has begun meanwhile. Browsers know such turns under https and on this machine.
 */
const inTurn: typeof fetch = async (input, init) => {
  const send = () => outlivingPage(input, init)
  if (!('locks' in navigator)) return send()
  try {
    return await navigator.locks.request('octavo:session', send)
  } catch (error) {
    // Firefox refuses turns together with cookies.
    if (!(error instanceof DOMException) || error.name !== 'SecurityError') throw error
    return send()
  }
}

/** Browsers refuse what goes on without its page from 64 KiB on, all of it together. */
const outlivingBytes = 4096

/** A change made just before the page is left arrives all the same, and so does a renewed session. */
const outlivingPage: typeof fetch = (input, init) => {
  const body = init?.body ?? ''
  const isChange = (init?.method ?? 'GET') !== 'GET'
  const keepalive = isChange && typeof body === 'string' && body.length <= outlivingBytes
  return fetch(input, { ...init, keepalive })
}

let browserClient: PocketBase | undefined

/** @returns the one client of this browser tab */
export function getBrowserClient(): PocketBase {
  return (browserClient ??= createBrowserClient())
}
