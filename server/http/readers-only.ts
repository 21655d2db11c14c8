import { createMiddleware } from 'hono/factory'
import { ApiError, type Need, type Viewer } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { access } from './openapi.ts'

/**
 * Middleware for routes of signed-in readers: refuses others before the body is read, and sets
 * `viewer`.
 *
 * @param need what an API token must allow; by default what the method does
 */
export function readersOnly(records: Pick<LibraryRecords, 'authenticate'>, need?: Need) {
  const only = createMiddleware<{ Variables: { viewer: Viewer } }>(async (c, next) => {
    const viewer = await records.authenticate(c.req.raw, need)
    if (!viewer) throw new ApiError(401)
    c.set('viewer', viewer)
    await next()
  })
  return { middleware: only, ...access.readers }
}
