import { Hono, type Context, type ErrorHandler, type MiddlewareHandler } from 'hono'
import { requireScope } from '../access/scope.ts'
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
import {
  addPasskeyRoute,
  passkeyOptionsRoute,
  passkeyRoute,
  passkeysRoute,
  removePasskeyRoute,
  renamePasskeyRoute,
  requestPasskeyRoute,
} from './auth-passkeys.ts'
import { oauth2Route } from './auth-oauth2.ts'
import {
  backchannelLogoutRoute,
  linkedProvidersRoute,
  unlinkProviderRoute,
} from './auth-providers.ts'
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
import { listRoute } from './read.ts'
import { oauth2DoneRoute, oauth2RedirectRoute } from './oauth2-redirect.ts'
import { connectRoute, subscribeRoute } from './realtime.ts'
import { requestInfo, type Env, type Handler } from './request-info.ts'
import { viewRoute } from './read.ts'
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

  const signing = { core, auth, clientAddress }
  const { accounts } = auth
  const call = (name: string) => `/collections/:collection/${name}`
  const post = (name: string, handle: Handler) => app.post(call(name), bySession(handle))
  app.get(call('auth-methods'), methodsRoute(signing))
  post('auth-with-password', clearsCookie(signing, [400], passwordRoute(signing)))
  post('request-otp', requestOtpRoute(signing))
  post('auth-with-otp', clearsCookie(signing, [400], otpRoute(signing)))
  const oauth2 = oauth2Route(signing)
  const oauth2Clearing = clearsCookie(signing, [400], oauth2)
  // A provider that wasn't linked leaves its reader signed in.
  post('auth-with-oauth2', (c) => (c.get('viewer') ? oauth2 : oauth2Clearing)(c))
  post('auth-refresh', clearsCookie(signing, [401, 403], refreshRoute(signing)))
  app.get(call('sessions'), bySession(sessionsRoute(signing)))
  app.delete(call('sessions'), bySession(endSessionsRoute(signing)))
  app.delete(call('sessions/:id'), bySession(endSessionRoute(signing)))
  app.delete(call('trusted-devices/:id'), bySession(revokeDeviceRoute(signing)))
  app.get(call('passkeys'), bySession(passkeysRoute(signing)))
  post('passkeys', addPasskeyRoute(signing))
  post('passkeys/options', passkeyOptionsRoute(signing))
  app.patch(call('passkeys/:id'), bySession(renamePasskeyRoute(signing)))
  app.delete(call('passkeys/:id'), bySession(removePasskeyRoute(signing)))
  post('request-passkey', requestPasskeyRoute(signing))
  post('auth-with-passkey', clearsCookie(signing, [400], passkeyRoute(signing)))
  app.get(call('providers'), bySession(linkedProvidersRoute(signing)))
  app.delete(call('providers/:provider'), bySession(unlinkProviderRoute(signing)))
  app.post(call('backchannel-logout/:provider'), backchannelLogoutRoute(signing))
  post('request-verification', requestLinkRoute(auth, core, 'verification'))
  post('confirm-verification', confirmVerificationRoute(accounts))
  post('request-password-reset', requestLinkRoute(auth, core, 'passwordReset'))
  post('confirm-password-reset', confirmPasswordResetRoute(accounts))
  post('request-email-change', requestEmailChangeRoute(auth, core))
  post('confirm-email-change', confirmEmailChangeRoute(accounts))

  app.all('*', () => errorResponse(new ApiError(404)))
  return app
}

/** For calls that sign in or change the account, which API tokens can't. */
function bySession(handle: Handler): Handler {
  return async (c) => {
    requireScope(c.get('viewer'), 'session')
    return handle(c)
  }
}
