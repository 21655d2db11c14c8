import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { apiRouter, emptyResponses } from '#server/http/api.ts'
import { readersOnly } from '#server/http/readers-only.ts'
import type { Mail } from '#server/mail/message.ts'
import { reportForm } from '#shared/report.ts'
import { reportMail } from './report-mail.ts'
import { fileReport } from './reports.ts'

const reportRoute = createRoute({
  method: 'post',
  path: '/users/{username}/reports',
  summary: 'Reports the profile of another reader to the operator',
  request: {
    params: z.object({ username: z.string() }),
    body: { required: true, content: { 'application/json': { schema: reportForm } } },
  },
  responses: emptyResponses('It is kept, and the operator is told', 404, 409),
})

/** The route for reporting a profile; mounted at /api/v1. */
export function moderationRoutes(deps: {
  records: Pick<LibraryRecords, 'authenticate' | 'write'>
  mail: Pick<Mail, 'send'>
  appUrl: string
  /** The operator's email; without one, reports wait for `npm run moderate`. */
  contactEmail: string | undefined
  now?: (() => Date) | undefined
}): OpenAPIHono {
  const { records, mail, appUrl, contactEmail, now = () => new Date() } = deps
  const router: OpenAPIHono = apiRouter()
  return router.openapi({ ...reportRoute, ...readersOnly(records) }, async (c) => {
    const { username } = c.req.valid('param')
    const form = c.req.valid('json')
    const kept = await records.write((tx) =>
      fileReport(tx, c.get('viewer').id, username, form, now()),
    )
    if (contactEmail) await mail.send(reportMail(kept, contactEmail, appUrl))
    return c.body(null, 204)
  })
}
