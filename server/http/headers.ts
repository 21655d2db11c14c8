import type { ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers'

/** The page renderer finds the nonce of its scripts under `secureHeadersNonce`. */
export interface HeadersEnv {
  Variables: SecureHeadersVariables
}

/**
 * Security headers of pages: only our scripts run, no framing, and only we may use the camera.
 * Covers of other catalogues come through this server, so no other image source is needed.
 *
 * @param development allows the development server's scripts
 */
export function pageHeaders(development = false): MiddlewareHandler<HeadersEnv> {
  const self = "'self'"
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: [self],
      // Vite adds its own scripts in development.
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
    // The page must be able to close the window it opened for signing in.
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    referrerPolicy: 'same-origin',
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    xXssProtection: false,
  })
}

/**
 * Sets HSTS on responses of every kind, without subdomains, which may be other people's sites. It
 * is set on Node's response, so that the HTTP adapter still writes headers and body at once.
 *
 * @param appUrl the site's address; nothing is set unless it is https
 */
export function requireHttps(appUrl: string): (response: ServerResponse) => void {
  const headers = Object.entries(strictTransport(appUrl))
  return (response) => headers.forEach(([name, value]) => void response.setHeader(name, value))
}

/** @returns the HSTS header, if the site uses https */
export function strictTransport(appUrl: string): Record<string, string> {
  if (!appUrl.startsWith('https:')) return {}
  return { 'Strict-Transport-Security': 'max-age=31536000' }
}

/** Headers of everything that isn't a page: it is never executed or framed. */
export const dataHeaderValues = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  Vary: 'Origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Adds {@link dataHeaderValues} unless the route has set them. */
export function dataHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(dataHeaderValues))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
