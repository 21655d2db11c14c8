import { createMiddleware } from 'hono/factory'
import { ApiError, type Records, type Viewer } from '#records/index.ts'
import { access } from './openapi.ts'

/**
 * For routes that are for who is signed in: anybody else is refused before what they sent is looked
 * at. The route finds who asks under `viewer`.
 */
export function readersOnly(records: Pick<Records, 'authenticate'>) {
  const only = createMiddleware<{ Variables: { viewer: Viewer } }>(async (c, next) => {
    const viewer = await records.authenticate(c.req.raw)
    if (!viewer) throw new ApiError(401)
    c.set('viewer', viewer)
    await next()
  })
  return { middleware: only, ...access.readers }
}
