import type { ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers'

/** The page renderer finds the nonce of its scripts under `secureHeadersNonce`. */
export interface HeadersEnv {
  Variables: SecureHeadersVariables
}

/**
 * Security headers of pages: only our own scripts run, nobody frames us, the camera is ours alone.
 * Covers of other catalogues are handed out by this server, so that no reader's browser asks there.
 *
 * @param development lets the development server's scripts in
 */
export function pageHeaders(development = false): MiddlewareHandler<HeadersEnv> {
  const self = "'self'"
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: [self],
      // In development Vite puts scripts of its own into the page.
      scriptSrc: development ? [self, "'unsafe-inline'"] : [self, NONCE],
      styleSrc: [self, "'unsafe-inline'"],
      imgSrc: [self, 'data:', 'blob:'],
      fontSrc: [self, 'data:'],
      connectSrc: development ? [self, 'ws:'] : [self],
      formAction: [self],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
    },
    permissionsPolicy: { camera: ['self'], microphone: [], geolocation: [] },
    // A window opened for signing in elsewhere has to be closed again.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    referrerPolicy: 'same-origin',
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    xXssProtection: false,
  })
}

/**
 * Tells the browser to stay under https, on answers of every kind: of the record service, files and
 * refusals too. Not its subdomains, which may be others' sites. Set on the connection, so that the HTTP adapter still writes answers in one go.
 *
 * @param appUrl the site's address; nothing is said unless it is https
 */
export function requireHttps(appUrl: string): (response: ServerResponse) => void {
  const headers = Object.entries(strictTransport(appUrl))
  return (response) => headers.forEach(([name, value]) => void response.setHeader(name, value))
}

/** @returns the header that tells a browser to stay under https; none unless the site is */
export function strictTransport(appUrl: string): Record<string, string> {
  if (!appUrl.startsWith('https:')) return {}
  return { 'Strict-Transport-Security': 'max-age=31536000' }
}

/** Of everything that is no page: nothing in it is ever run or framed. */
export const dataHeaderValues = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  Vary: 'Origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Adds those of {@link dataHeaderValues} that the route has not set itself. */
export function dataHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(dataHeaderValues))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
