import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers'

/** The page renderer finds the nonce of its scripts under `secureHeadersNonce`. */
export interface HeadersEnv {
  Variables: SecureHeadersVariables
}

/**
 * Security headers of pages: only our own scripts run, nobody frames us, the camera is ours alone.
 * Covers come from catalogues all over the web, therefore https pictures.
 *
 * @param appUrl the site's address; under https the browser is told to stay there
 */
export function pageHeaders(appUrl: string, development = false): MiddlewareHandler<HeadersEnv> {
  const self = "'self'"
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: [self],
      // In development Vite puts scripts of its own into the page.
      scriptSrc: development ? [self, "'unsafe-inline'"] : [self, NONCE],
      styleSrc: [self, "'unsafe-inline'"],
      imgSrc: [self, 'data:', 'blob:', 'https:'],
      fontSrc: [self, 'data:'],
      connectSrc: development ? [self, 'ws:'] : [self],
      formAction: [self],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
    },
    permissionsPolicy: { camera: ['self'], microphone: [], geolocation: [] },
    referrerPolicy: 'same-origin',
    strictTransportSecurity: isHttps(appUrl) ? hsts : false,
    xFrameOptions: 'DENY',
    xXssProtection: false,
  })
}

const hsts = 'max-age=31536000; includeSubDomains'
const isHttps = (url: string) => url.startsWith('https:')

/** Headers of everything that is no page: nothing in it is ever run or framed. */
export function dataHeaders(appUrl: string): MiddlewareHandler {
  const headers = Object.entries({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(isHttps(appUrl) ? { 'Strict-Transport-Security': hsts } : {}),
  })
  return async (c, next) => {
    await next()
    for (const [name, value] of headers)
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  }
}
