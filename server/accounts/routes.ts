import { createRoute, type OpenAPIHono } from '@hono/zod-openapi'
import { ApiError, type Records } from '#records/index.ts'
import { apiRouter } from '#server/http/api.ts'
import { resetAccount } from './reset.ts'

const logoutRoute = createRoute({
  method: 'post',
  path: '/auth/logout',
  summary: 'Ends the session, here and on the server',
  responses: { 204: { description: 'Signed out, or nobody was signed in' } },
})

const resetRoute = createRoute({
  method: 'post',
  path: '/account/reset',
  summary: "Clears the caller's books, activities and reading progress",
  responses: { 204: { description: 'All of it is gone' } },
})

/** The product's own calls about the caller's account; to be mounted at /api/v1. */
export function accountRoutes({ records, appUrl }: { records: Records; appUrl: string }) {
  const secure = appUrl.startsWith('https:') ? '; Secure' : ''
  const expired = `pb_auth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`
  const router: OpenAPIHono = apiRouter()
  return router
    .openapi(logoutRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      if (viewer) await records.endSession(viewer)
      return c.body(null, 204, { 'Set-Cookie': expired, 'Cache-Control': 'no-store' })
    })
    .openapi(resetRoute, async (c) => {
      const viewer = await records.authenticate(c.req.raw)
      if (!viewer) throw new ApiError(401)
      await resetAccount(records, viewer.id)
      return c.body(null, 204)
    })
}
