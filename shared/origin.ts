/** Paths a signed-in reader may be sent back to; anything else goes to {@link afterLogin}. */
const safeRoutes =
  /^\/(?:$|explore$|users$|welcome$|pricing$|contact$|privacy$|terms$|book\/[^/]+$|u\/[^/]+(?:\/(?:books(?:\/[^/]+(?:\/finished)?)?|shelves|wishlist))?$|(?:series|author)\/[^/]+(?:\/[^/]+)?$|shelf\/[^/]+$|account\/(?:settings|edit|removed|connections|imports(?:\/[^/]+)?)$)/

export const afterLogin = '/explore'
export const afterLogout = '/'
/** Where a new reader goes who had no other destination. */
export const afterSignUp = '/welcome'

/**
 * The `origin` of a sign-in, if it is safe to follow: a path of this site that is a known screen.
 *
 * @param origin from the address
 * @returns the path with its query, or {@link afterLogin}
 */
export function safeOrigin(origin: string | null | undefined): string {
  if (!origin || !/^\/(?![/\\])/.test(origin) || /[\\\u0000-\u0020\u007F]/.test(origin))
    return afterLogin
  let url: URL
  let path: string
  try {
    url = new URL(origin, 'http://octavo.invalid')
    path = decodeURIComponent(url.pathname)
  } catch {
    return afterLogin
  }
  if (url.host !== 'octavo.invalid' || /[\\\u0000-\u001F]|\/\/|\/\.\.?(?:\/|$)/.test(path))
    return afterLogin
  return safeRoutes.test(url.pathname) ? url.pathname + url.search : afterLogin
}

/**
 * @param origin from the address
 * @returns the path for a reader who has signed in, or up
 */
export function targetAfterSignIn(origin: string | null | undefined, isNew: boolean): string {
  const target = safeOrigin(origin)
  return isNew && target === afterLogin ? afterSignUp : target
}
