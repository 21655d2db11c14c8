import type { MiddlewareHandler } from 'hono'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { tokenPrefix } from '#shared/api-token.ts'

/**
 * Middleware for routes that don't all ask who calls: refuses an API token that lacks the scope of
 * the request's method, or that is limited to some collections.
 */
export function wholeTokens(records: Pick<LibraryRecords, 'authenticate'>): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header('authorization')?.includes(tokenPrefix)) await records.authenticate(c.req.raw)
    await next()
  }
}
