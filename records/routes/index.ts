import { Hono, type Context, type ErrorHandler, type MiddlewareHandler } from 'hono'
import type { Auth } from '../auth/index.ts'
import type { Core } from '../write/core.ts'
import { ApiError } from '../errors.ts'
import type { FileTokens } from '../auth/file-token.ts'
import type { Realtime } from '../realtime/index.ts'
import { errorResponse, pickedResponse } from './response.ts'
import {
  confirmEmailChangeRoute,
  confirmPasswordResetRoute,
  confirmVerificationRoute,
  requestEmailChangeRoute,
  requestLinkRoute,
} from './auth-links.ts'
import { wantsCookie, clearsCookie } from './auth-response.ts'
import { oauth2Route } from './auth-oauth2.ts'
import {
  revokeDeviceRoute,
  endSessionRoute,
  endSessionsRoute,
  sessionsRoute,
} from './auth-sessions.ts'
import { methodsRoute, otpRoute, passwordRoute, refreshRoute, requestOtpRoute } from './auth.ts'
import { batchRoute } from './batch.ts'
import { cors } from './cors.ts'
import { fileRoute, fileTokenRoute } from './file.ts'
import { limitRequests } from './limits.ts'
import { listRoute } from './list.ts'
import { oauth2DoneRoute, oauth2RedirectRoute } from './oauth2-redirect.ts'
import { connectRoute, subscribeRoute } from './realtime.ts'
import { requestInfo, type Env } from './request-info.ts'
import { viewRoute } from './view.ts'
import { createRoute, deleteRoute, updateRoute } from './write.ts'

interface RouteDeps {
  core: Core
  auth: Auth
  fileTokens: FileTokens
  realtime: Realtime
  clientAddress: (c: Context) => string
  guard: MiddlewareHandler | undefined
  answerFailure: ErrorHandler | undefined
}

/** All routes of the service. */
export function apiRoutes({
  core,
  auth,
  fileTokens,
  realtime,
  clientAddress,
  guard,
  answerFailure,
}: RouteDeps): Hono<Env> {
  const { database, schema } = core
  const reading = {
    database,
    schema,
    requestInfo: (c: Context<Env>) => requestInfo(c),
    limits: core.limits,
    report: core.report,
  }
  const app = new Hono<Env>().basePath('/api')

  app.onError((error, c) => {
    if (error instanceof ApiError && error.status < 500) return errorResponse(error)
    // The application handles other errors, as it knows where to log them.
    if (answerFailure) return answerFailure(error, c)
    throw error
  })
  app.use(cors(auth.appOrigin))
  if (guard) app.use(guard)
  app.use(limitRequests(core.limits, clientAddress))
  app.use(async (c, next) => {
    const viewer = await auth.authenticate(c.req.raw)
    c.set('viewer', viewer)
    await next()
    // Tells open pages whose session has ended that they are signed out.
    if (!viewer && wantsCookie(c)) c.res.headers.set('X-Session', 'none')
  })

  app.get('/health', (c) => pickedResponse(c, '{"message":"API is healthy.","code":200,"data":{}}'))

  app.get('/realtime', connectRoute(realtime, clientAddress))
  app.post('/realtime', subscribeRoute(realtime, clientAddress, core.limits))

  app.on(['GET', 'POST'], '/oauth2-redirect', oauth2RedirectRoute(realtime, clientAddress))
  app.get('/oauth2-redirect/success', oauth2DoneRoute(true))
  app.get('/oauth2-redirect/failure', oauth2DoneRoute(false))

  const records = '/collections/:collection/records'
  app.get(records, listRoute(reading))
  app.get(`${records}/:id`, viewRoute(reading))
  app.post(records, createRoute(core))
  app.patch(`${records}/:id`, updateRoute(core))
  app.delete(`${records}/:id`, deleteRoute(core))

  app.post('/batch', batchRoute(core))

  app.post('/files/token', fileTokenRoute(fileTokens))
  app.get('/files/:collection/:id/:name', fileRoute(core, fileTokens))

  const collection = '/collections/:collection'
  const signing = { core, auth, clientAddress }
  app.get(`${collection}/auth-methods`, methodsRoute(signing))
  app.post(`${collection}/auth-with-password`, clearsCookie(signing, [400], passwordRoute(signing)))
  app.post(`${collection}/request-otp`, requestOtpRoute(signing))
  app.post(`${collection}/auth-with-otp`, clearsCookie(signing, [400], otpRoute(signing)))
  app.post(`${collection}/auth-with-oauth2`, clearsCookie(signing, [400], oauth2Route(signing)))
  app.post(`${collection}/auth-refresh`, clearsCookie(signing, [401, 403], refreshRoute(signing)))
  app.get(`${collection}/sessions`, sessionsRoute(signing))
  app.delete(`${collection}/sessions`, endSessionsRoute(signing))
  app.delete(`${collection}/sessions/:id`, endSessionRoute(signing))
  app.delete(`${collection}/trusted-devices/:id`, revokeDeviceRoute(signing))
  const { accounts } = auth
  app.post(`${collection}/request-verification`, requestLinkRoute(auth, core, 'verification'))
  app.post(`${collection}/confirm-verification`, confirmVerificationRoute(accounts))
  app.post(`${collection}/request-password-reset`, requestLinkRoute(auth, core, 'passwordReset'))
  app.post(`${collection}/confirm-password-reset`, confirmPasswordResetRoute(accounts))
  app.post(`${collection}/request-email-change`, requestEmailChangeRoute(auth, core))
  app.post(`${collection}/confirm-email-change`, confirmEmailChangeRoute(accounts))

  app.all('*', () => errorResponse(new ApiError(404)))
  return app
}
