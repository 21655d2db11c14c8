import { Hono, type Context, type ErrorHandler, type MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { compress } from 'hono/compress'
import { getPath } from 'hono/utils/url'
import type { Logger } from 'pino'
import {
  openCovers,
  openModel,
  type CoversOptions,
  type Model,
  type FederatedCatalogue,
} from '#catalogue/index.ts'
import { ApiError, createRecords, type Database } from '#records/index.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { accountMail } from './accounts/account-mail.ts'
import { signInProviders } from './accounts/sign-in-providers.ts'
import { otpMail } from './accounts/otp-mail.ts'
import { accountRoutes } from './accounts/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { syncCustomers } from './billing/sync-customers.ts'
import { subscriptionRoutes, webhookRoutes } from './billing/routes.ts'
import type { Billing } from './billing/refresh.ts'
import { becauseLikedRoutes } from './catalogue/because-liked.ts'
import { bookInfoRoutes } from './catalogue/book-info.ts'
import { readersRoutes } from './catalogue/readers.ts'
import { ownSeriesRoutes } from './catalogue/own-series.ts'
import { rememberRoutes } from './catalogue/remember.ts'
import { suggestRoutes } from './catalogue/suggest.ts'
import type { CoReadsOfReaders } from './catalogue/public-shelves.ts'
import { coverRoutes, linkedCoverRoutes } from './catalogue/covers.ts'
import { coverOptions } from './catalogue/catalogue-options.ts'
import type { Config } from './settings/config.ts'
import type { Disk } from './runtime/disk.ts'
import { openStorage } from './storage/files.ts'
import { runSweeps } from './sweeps.ts'
import { apiRouter } from './http/api.ts'
import { apiDocsRoutes } from './http/api-docs.ts'
import type { ApiDocument } from './http/api-document.ts'
import { completionRoutes } from './completion/routes.ts'
import { runCompletion } from './completion/runner.ts'
import { clientAddress, isLocalHostname } from '#server/network/client-address.ts'
import { errorHandler, notFound } from './http/errors.ts'
import { dataHeaders, pageHeaders, type HeadersEnv } from './http/headers.ts'
import { cachePages } from '#server/pages/page-cache.ts'
import { requestLimits } from './http/limits.ts'
import { describeApi } from './http/openapi.ts'
import { feedPaths, feedRoutes } from './feeds/routes.ts'
import { rateLimit, rateLimits } from './http/rate-limit.ts'
import { createPages } from '#server/pages/pages.ts'
import { previewRoutes } from '#server/pages/previews.ts'
import { yearPictureRoutes } from '#server/pages/year-picture.ts'
import { openReadiness } from './http/ready.ts'
import { robotsRoutes } from '#server/pages/robots.ts'
import { staticFiles } from './http/static.ts'
import type { RequestWatch } from './http/watch-requests.ts'
import { wholeTokens } from './http/whole-tokens.ts'
import { sampleRoutes } from './demo/sample-routes.ts'
import { davRoutes } from './devices/dav.ts'
import { deviceErrors } from './devices/error-forms.ts'
import { kosyncRoutes } from './devices/kosync.ts'
import { runDevices } from './devices/runner.ts'
import { runPolls } from '#server/devices/polls.ts'
import { openServices } from '#server/devices/service-client.ts'
import { readwiseApiRoutes } from './devices/readwise-api.ts'
import { connectionSignIn } from './devices/sign-in.ts'
import { importFolder } from './import/parse.ts'
import { runImports } from './import/runner.ts'
import { runWebhooks } from './webhooks/runner.ts'
import { openSender } from './webhooks/send.ts'
import { createSchema, schema } from '#server/collections/schema.ts'
import { createHooks } from '#server/open/hooks.ts'
import { libraryRoutes } from './library/routes.ts'
import { liteRoutes } from './lite/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { withRequestLanguage, readerLanguage } from './mail/reader-language.ts'
import { createMail, forgetMails } from './mail/mail.ts'
import type { Mail } from './mail/message.ts'
import { localOrigin } from '#server/network/local-network.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { mailbox } from './mail/mailbox.ts'
import type { Web } from '#server/pages/web-build.ts'

interface AppOptions {
  /** The payment provider; no payments if absent. */
  provider?: Billing['provider'] | undefined
  /** What readers shelve together; unused if absent. */
  coReads?: CoReadsOfReaders | undefined
  config: Config
  /** Signs sessions; at least 32 characters. */
  secret: string
  /** Migrated. */
  database: Database
  catalogue: FederatedCatalogue
  /** Watches the free space of the data folder; unlimited if absent. */
  disk?: Disk | undefined
  web: Web
  log: Logger
  /** Receives calls to other catalogues; the log if absent. */
  sourceLog?: CoversOptions['log'] | undefined
  /** Observes requests, for the log and for metrics. */
  watch?: RequestWatch | undefined
}

export interface App {
  /** The whole server as a function from request to response; it needs no port. */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  records: LibraryRecords
  /** Tells who asks `/api/ready` to send requests elsewhere from now on; they are still answered. */
  announceStop(): void
  /** Closes what the app holds open: live connections, imports and outgoing mail. */
  close(): Promise<void>
}

/** Maps every path to what answers it. */
export function createApp({
  config,
  secret,
  database,
  catalogue,
  web,
  log,
  disk,
  coReads,
  provider,
  watch,
  sourceLog,
}: AppOptions): App {
  const addressOf = clientAddress(config.trustProxy, (proxy) =>
    log.warn(
      `The proxy at ${proxy} is not in TRUST_PROXY: rate limits count everyone behind it as one client`,
    ),
  )
  const mail = createMail(config, database, log, async ({ to, code }) => {
    if (code) await records.otpDelivered('users', to)
  })
  const answerFailure = errorHandler(log, deviceErrors)
  let wakeImports: () => void = () => undefined
  let wakeDevices: () => void = () => undefined
  let wakeWebhooks: () => void = () => undefined
  let wakePolls: () => void = () => undefined
  const sender = openSender(config.webhookNetworks)
  const services = openServices(config.connectionNetworks)
  const records = openRecords({
    onImport: () => wakeImports(),
    onDevices: () => wakeDevices(),
    onWebhooks: () => wakeWebhooks(),
    mayReach: sender.mayReach,
    onServices: () => wakePolls(),
    mayAsk: services.mayReach,
    config,
    secret,
    database,
    log,
    disk,
    mail,
    addressOf,
    answerFailure,
    watch,
  })
  const imports = runImports({
    database,
    records,
    catalogue,
    config,
    log,
  })
  wakeImports = () => imports.wake()
  const { completeBooks } = config.catalogue
  const completion = completeBooks && runCompletion({ database, records, catalogue, log })
  const storage = openStorage(config)
  const folder = importFolder(config.dataDir)
  const devices = runDevices({ database, records, storage, folder, log })
  wakeDevices = () => devices.wake()
  const polls = runPolls({ database, records, services, log, wake: () => devices.wake() })
  wakePolls = () => polls.wake()
  const webhooks = runWebhooks({ database, records, sender, log })
  wakeWebhooks = () => webhooks.wake()
  const covers = openCovers({ ...coverOptions(config), log: sourceLog ?? log })
  const sweeps = runSweeps(records, config.dataDir, log)
  const billing = provider && { database, records, provider, now: () => new Date() }
  const customers = billing && syncCustomers(billing, log)
  const limited = (name: keyof typeof rateLimits): MiddlewareHandler =>
    config.rateLimits ? rateLimit(rateLimits[name], addressOf) : (_, next) => next()

  const model = config.llm && openModel({ ...config.llm, log })
  const sample = sampleRoutes({ catalogue, folder, log })
  const parts = { config, database, catalogue, coReads, records, mail, billing, model, sample }
  const inside = async (request: Request) => fetch(request)
  const { product, describe } = productApi({ ...parts, limited, addressOf, fetch: inside })
  const api = new Hono()
  const readiness = openReadiness(database, disk && (() => disk.isFull()))
  api.route('/v1', product)
  api.route('/ready', readiness.routes)
  api.route('/docs', apiDocsRoutes(schema, describe))
  api.all('*', notFound)

  // With a trailing slash in the address that was typed, KOReader asks for /kosync//users/auth.
  const app = new Hono<HeadersEnv>({
    getPath: (request) => getPath(request).replace(/^\/kosync\/\//, '/kosync/'),
  })
  if (watch) app.use(watch.route)
  app.use('/api/*', records.cors)
  app.use(requestLimits())
  app.route('/api', api)
  // On their own the record routes fit one regular expression. In the full router, finding a route
  // takes so long that reading one record costs 1.4 times the processor time, and a list of 30
  // costs 1.15 times.
  const routesOf = ({ url }: Request) => (isOfRecords(url) ? records.routes : app)
  const fetch: App['fetch'] = (request, env) =>
    withRequestLanguage(request, () => routesOf(request).fetch(request, env))
  if (web.files) app.use(staticFiles(web.files))
  app.use(records.chargeRequests)
  app.use('/covers/*', dataHeaders(), limited('covers'))
  app.use('/covers/linked/typed', limited('typedCovers'))
  app.route('/covers/linked', linkedCoverRoutes({ covers, records, fetch: inside }))
  app.route('/covers', coverRoutes(covers))
  app.use('/previews/*', limited('previews'))
  app.route(
    '/previews',
    previewRoutes({ fetch: inside, database, catalogue, origin: config.appUrl }),
  )
  for (const path of Object.values(feedPaths))
    app.use(path, dataHeaders(), limited('feeds'), wholeTokens(records))
  app.use('/feeds/*', dataHeaders(), limited('feeds'))
  app.route('/', feedRoutes({ fetch: inside, database, records, appUrl: config.appUrl }))
  app.all('/feeds/*', notFound)
  app.use('/kosync/*', dataHeaders())
  app.use('/dav/*', dataHeaders())
  app.use('/readwise/*', dataHeaders())
  const signIn = connectionSignIn({
    database,
    clientAddress: addressOf,
    isLimited: config.rateLimits,
  })
  const wake = () => devices.wake()
  const unknownToDevices = (c: Context) => answerFailure(new ApiError(404), c)
  app.route('/kosync', kosyncRoutes({ database, records, signIn, wake }))
  app.all('/kosync/*', unknownToDevices)
  app.route('/dav', davRoutes({ database, records, storage, folder, signIn, wake }))
  app.route('/readwise/api/v2', readwiseApiRoutes({ records, signIn, wake }))
  app.all('/readwise/*', unknownToDevices)
  app.use('/mcp', dataHeaders(), limited('assistants'))
  app.route('/mcp', mcpRoutes({ records, fetch, appUrl: config.appUrl }))
  app.use(pageHeaders(!web.files))
  app.use(compress())
  app.route('/', robotsRoutes({ database, catalogue, appUrl: config.appUrl }))
  app.get('/mailbox', mailbox(config, secret))
  app.use('/lite/*', limited('pages'))
  app.get('/lite/', (c) => c.redirect('/lite', 308))
  app.route(
    '/lite',
    liteRoutes({ database, records, fetch, passwordSignIn: config.passwordSignIn }),
  )
  const fresh = createPages(web.load, { fetch, records, config, log })
  // In development a page may change at any time.
  const pages = web.files ? cachePages(fresh) : fresh
  app.use(limited('pages'))
  app.all('*', (c) =>
    pages(c.req.raw, c.get('secureHeadersNonce') ?? '', { connection: c.env as object }),
  )
  app.onError(answerFailure)
  app.notFound(notFound)

  return {
    fetch,
    records,
    announceStop: () => readiness.stop(),
    async close() {
      readiness.stop()
      // Not waited for: a sweep can take long, and the next start goes on with it.
      void sweeps.close()
      await customers?.close()
      await imports.close()
      await sample.close()
      if (completion) await completion.close()
      await polls.close()
      await devices.close()
      await webhooks.close()
      await covers.close()
      await model?.close()
      await records.close()
      await mail.close()
    },
  }
}

type ClientAddress = ReturnType<typeof clientAddress>

function openRecords(
  deps: Pick<AppOptions, 'config' | 'secret' | 'database' | 'log' | 'disk' | 'watch'> & {
    mail: Mail
    addressOf: ClientAddress
    answerFailure: ErrorHandler
    onImport: () => void
    onDevices: () => void
    onWebhooks: () => void
    mayReach: (url: string) => boolean
    onServices: () => void
    mayAsk: (url: string) => boolean
  },
): LibraryRecords {
  const { config, secret, database, log, disk, mail, addressOf, answerFailure, watch } = deps
  const { onImport, onDevices, onWebhooks, mayReach, onServices, mayAsk } = deps
  return createRecords({
    database,
    schema: createSchema(config.planDefault, config.signInCode, config.passwordSignIn),
    secret,
    hooks: createHooks({
      ...config,
      completeBooks: config.catalogue.completeBooks,
      onImport,
      onDevices,
      onWebhooks,
      mayReach,
      onServices,
      mayAsk,
      onForget: forgetMails(config.dataDir, log),
    }),
    files: openStorage(config),
    spoolFolder: importFolder(config.dataDir),
    ...(disk && { diskSpace: disk }),
    appUrl: config.appUrl,
    ...(!config.appUrlGiven && { isOwnAddress: isLocalHostname, linkOrigin: localOrigin }),
    onForeignOrigin: warnAboutForeignOrigin(config, log),
    clientAddress: addressOf,
    limits: config.rateLimits ? {} : false,
    guard: watch ? every(watch.route, requestLimits()) : requestLimits(),
    ...(watch && { onViewer: ({ id }) => watch.account(id) }),
    answerFailure,
    onOtp: async ({ to, code, record }) =>
      mail.send(otpMail(to, code, new Date(), await readerLanguage(database, record.id, true))),
    oauth2: signInProviders(config),
    async onMail(about) {
      const isOfStranger = about.kind === 'otpLockout' || about.kind === 'sessionReused'
      const language = await readerLanguage(database, about.record.id, !isOfStranger)
      await mail.send(accountMail(about, about.origin ?? config.appUrl, new Date(), language))
    },
    onError: (error) => log.error({ err: error }, 'record service'),
  })
}

/** Warns once which origin was refused a session: usually it is this site under another address. */
function warnAboutForeignOrigin({ appUrl, appUrlGiven }: Config, log: Logger) {
  let isSaid = false
  return (origin: string) => {
    if (isSaid) return
    isSaid = true
    const advice = appUrlGiven ? 'change' : 'set'
    log.warn(
      `A request from ${origin || 'no origin'} was refused a session, as APP_URL is ${appUrl}: ${advice} APP_URL if readers use another address`,
    )
  }
}

/** The product's own calls, at /api/v1. */
function productApi(
  deps: Pick<AppOptions, 'config' | 'database' | 'catalogue' | 'coReads'> & {
    records: LibraryRecords
    mail: Mail
    billing: Billing | undefined
    model: Model | undefined
    sample: ReturnType<typeof sampleRoutes>
    limited: (name: keyof typeof rateLimits) => MiddlewareHandler
    addressOf: ClientAddress
    /** Calls the server in process. */
    fetch: (request: Request) => Promise<Response>
  },
) {
  const { config, database, catalogue, coReads, records, mail, billing, model, limited, fetch } =
    deps
  const { appUrl, links } = config
  const viewerKey = async (c: Context) =>
    (await records.authenticate(c.req.raw))?.id ?? deps.addressOf(c)
  const product = apiRouter()
  product.use(dataHeaders())
  // Not rate-limited: all messages come from a few addresses, and each is signed.
  product.route('/', webhookRoutes(billing, config))
  product.use(records.limitRequests)
  // Before API tokens are refused: to them it answers as if it weren't there, too.
  product.route('/', adminRoutes({ config, database, records, addressOf: deps.addressOf }))
  product.use(wholeTokens(records))
  product.use('/account/:file{export(?:\\.csv)?}', limited('exports'))
  product.use('/subscriptions/*', limited('payments'))
  product.use('/users/:username/year/*', limited('previews'))
  product.route('/', suggestRoutes({ catalogue, database, records }))
  product.route('/', rememberRoutes({ catalogue, database, records }))
  product.route('/', ownSeriesRoutes({ catalogue, database, records }))
  product.route('/', becauseLikedRoutes({ catalogue, coReads, database, records }))
  product.route('/', readersRoutes({ catalogue, database, records }))
  product.route('/', bookInfoRoutes(catalogue, { model, coReads, viewerKey }))
  product.route('/', libraryRoutes({ database, records }))
  product.route('/', deps.sample.router)
  product.route('/', yearPictureRoutes({ fetch, database, records, origin: appUrl }))
  product.route('/', accountRoutes({ database, records, storage: openStorage(config), appUrl }))
  product.route(
    '/',
    completionRoutes({ database, records, catalogue, isOn: config.catalogue.completeBooks }),
  )
  product.route('/', subscriptionRoutes(records, billing, config))
  product.route('/', moderationRoutes({ records, mail, appUrl, contactEmail: links.contactEmail }))
  let document: ApiDocument | undefined
  const describe = () =>
    (document ??= describeApi(product, {
      openapi: '3.1.0',
      info: { title: 'Octavo', version: '1' },
      servers: [{ url: '/api/v1' }],
    }) as ApiDocument)
  product.get('/openapi.json', (c) => c.json(describe()))
  return { product, describe }
}

/** The paths below /api that the record service doesn't answer. */
const own = ['/api/v1', '/api/ready', '/api/docs']

/** Whether only the record service can answer this URL. */
function isOfRecords(url: string): boolean {
  const path = pathOf(url)
  if (!url.startsWith('/api/', path)) return false
  return !own.some((prefix) => url.startsWith(prefix, path))
}

/** @returns the index at which the path begins */
const pathOf = (url: string) => url.indexOf('/', url.indexOf('://') + 3)
