import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import type { Logger } from 'pino'
import { openCovers, openModel, type Model, type World } from '#catalogue/index.ts'
import { createRecords, type Database, type LimitRules, type Records } from '#records/index.ts'
import { accountMail } from './accounts/account-mail.ts'
import { googleSignIn } from './accounts/google.ts'
import { otpMail } from './accounts/otp-mail.ts'
import { accountRoutes } from './accounts/routes.ts'
import { followCustomers } from './billing/follow.ts'
import { subscriptionRoutes, webhookRoutes } from './billing/routes.ts'
import type { Billing } from './billing/settle.ts'
import { bookInfo } from './catalogue/book-info.ts'
import { searchedBooks } from './catalogue/searched.ts'
import { suggestRoutes } from './catalogue/suggest.ts'
import type { Together } from './catalogue/public-shelves.ts'
import { coverRoutes } from './catalogue/covers.ts'
import { coverOptions } from './catalogue/world-options.ts'
import type { Config } from './config.ts'
import { openStorage, sweepRegularly } from './files.ts'
import { apiRouter } from './http/api.ts'
import { clientAddress, isLoopback } from './http/client-address.ts'
import { errorHandler, notFound } from './http/errors.ts'
import { dataHeaders, pageHeaders, type HeadersEnv } from './http/headers.ts'
import { keepPages } from './http/kept-pages.ts'
import { requestLimits } from './http/limits.ts'
import { paced, paces } from './http/pace.ts'
import { createPages } from './http/pages.ts'
import { previewRoutes } from './http/previews.ts'
import { robotsRoutes } from './http/robots.ts'
import { staticFiles } from './http/static.ts'
import { createSchema } from './library/collections.ts'
import { createHooks } from './library/hooks.ts'
import { libraryRoutes } from './library/routes.ts'
import { createMail } from './mail/mail.ts'
import type { Mail } from './mail/message.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { mailbox } from './mail/mailbox.ts'
import type { Web } from './web-build.ts'

interface AppOptions {
  /** Who takes payments; nobody unless given. */
  provider?: Billing['provider'] | undefined
  /** What readers shelve together; nothing unless given. */
  together?: Together | undefined
  config: Config
  /** Signs sessions; at least 32 characters. */
  secret: string
  /** Migrated. */
  database: Database
  catalogue: World
  web: Web
  log: Logger
}

export interface App {
  /** The whole server: a request in, an answer out. No port is needed to use it. */
  fetch: (request: Request, env?: object) => Response | Promise<Response>
  records: Records
  /** Ends what the app holds open: live connections and the mail on its way. */
  close(): Promise<void>
}

/** The map of the server: what answers where. */
export function createApp({
  config,
  secret,
  database,
  catalogue,
  web,
  log,
  together,
  provider,
}: AppOptions): App {
  const addressOf = clientAddress(config.trustProxy, (proxy) =>
    log.warn(`A proxy at ${proxy} is not in TRUST_PROXY: all who come by it are one to the limits`),
  )
  const mail = createMail(config, database, log)
  const records = openRecords({ config, secret, database, log, mail, addressOf })
  const covers = openCovers({ ...coverOptions(config), log })
  const stopSweeping = sweepRegularly(records, log)
  const billing = provider && { database, records, provider, now: () => new Date() }
  const stopFollowing = billing && followCustomers(billing, log)
  const limited = (pace: keyof typeof paces): MiddlewareHandler =>
    config.rateLimits ? paced(paces[pace], addressOf) : (_, next) => next()

  const model = config.llm && openModel({ ...config.llm, log })
  const parts = { config, database, catalogue, together, records, mail, billing, model }
  const product = productApi({ ...parts, limited, addressOf })
  const api = new Hono()
  api.route('/v1', product)
  api.all('*', notFound)

  const answerFailure = errorHandler(log)
  const searches = new Hono().onError(answerFailure).notFound(notFound)
  searches.use(records.cors, requestLimits(), records.limitRequests)
  searches.route('/api/v1', searchedBooks(catalogue, model))

  const app = new Hono<HeadersEnv>()
  app.use('/api/*', records.cors)
  app.use(requestLimits())
  app.route('/api', api)
  // By themselves the routes of records fit one regular expression, and that of searches; among all
  // the others they would have to be looked for in a tree, a tenth of what a record takes.
  const routesOf = ({ url }: Request) =>
    isOfRecords(url) ? records.routes : isSearch(url) ? searches : app
  const fetch: App['fetch'] = (request, env) => routesOf(request).fetch(request, env)
  if (web.files) app.use(staticFiles(web.files))
  app.use('/covers/*', dataHeaders(), limited('covers'))
  app.route('/covers', coverRoutes(covers))
  const inside = async (request: Request) => fetch(request)
  app.use('/previews/*', limited('previews'))
  app.route(
    '/previews',
    previewRoutes({ fetch: inside, database, catalogue, origin: config.appUrl }),
  )
  app.use(pageHeaders(!web.files))
  app.use(compress())
  app.route('/', robotsRoutes({ database, catalogue, appUrl: config.appUrl }))
  app.get('/mailbox', mailbox(config))
  const fresh = createPages(web.load, { fetch: inside, config, log })
  // In development a page may be another at every look.
  const pages = web.files ? keepPages(fresh) : fresh
  app.use(limited('pages'))
  app.all('*', (c) => pages(c.req.raw, c.get('secureHeadersNonce') ?? ''))
  app.onError(answerFailure)
  app.notFound(notFound)

  return {
    fetch,
    records,
    async close() {
      stopSweeping()
      await stopFollowing?.()
      await covers.close()
      await model?.close()
      await records.close()
      await mail.close()
    },
  }
}

type ClientAddress = ReturnType<typeof clientAddress>

function openRecords(
  deps: Pick<AppOptions, 'config' | 'secret' | 'database' | 'log'> & {
    mail: Mail
    addressOf: ClientAddress
  },
): Records {
  const { config, secret, database, log, mail, addressOf } = deps
  return createRecords({
    database,
    schema: createSchema(config.planDefault),
    secret,
    hooks: createHooks(config),
    files: openStorage(config),
    appUrl: config.appUrl,
    clientAddress: addressOf,
    limits: limitsOf(config),
    guard: requestLimits(),
    answerFailure: errorHandler(log),
    onOtp: ({ to, code }) => mail.send(otpMail(to, code, new Date())),
    oauth2: googleSignIn(config),
    onMail: (about) => mail.send(accountMail(about, config.appUrl, new Date())),
    onError: (error) => log.error({ err: error }, 'record service'),
  })
}

/** The product's own calls, at /api/v1. */
function productApi(
  deps: Pick<AppOptions, 'config' | 'database' | 'catalogue' | 'together'> & {
    records: Records
    mail: Mail
    billing: Billing | undefined
    model: Model | undefined
    limited: (pace: keyof typeof paces) => MiddlewareHandler
    addressOf: ClientAddress
  },
) {
  const { config, database, catalogue, together, records, mail, billing, model, limited } = deps
  const { appUrl, links } = config
  const askedBy = async (c: Context) =>
    (await records.authenticate(c.req.raw))?.id ?? deps.addressOf(c)
  const product = apiRouter()
  product.use(dataHeaders())
  // Not limited: all messages come from few addresses, and each must prove itself.
  product.route('/', webhookRoutes(billing, config))
  product.use(records.limitRequests)
  product.use('/account/:file{export(?:\\.csv)?}', limited('exports'))
  product.use('/subscriptions/*', limited('payments'))
  product.route('/', suggestRoutes({ catalogue, database, records }))
  product.route('/', bookInfo(catalogue, { model, together, askedBy }))
  product.route('/', libraryRoutes({ database, records }))
  product.route('/', accountRoutes({ database, records, appUrl }))
  product.route('/', subscriptionRoutes(records, billing, config))
  product.route('/', moderationRoutes({ records, mail, appUrl, contactEmail: links.contactEmail }))
  product.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Octavo', version: '1' },
    servers: [{ url: '/api/v1' }],
  })
  return product
}

/** Whether nothing but the record service can answer to the address. */
function isOfRecords(url: string): boolean {
  const path = pathOf(url)
  return url.startsWith('/api/', path) && !url.startsWith('/api/v1', path)
}

const searchPath = '/api/v1/book-info/search'

function isSearch(url: string): boolean {
  const path = pathOf(url)
  const end = path + searchPath.length
  return url.startsWith(searchPath, path) && (end === url.length || url[end] === '?')
}

/** @returns where the path begins */
const pathOf = (url: string) => url.indexOf('/', url.indexOf('://') + 3)

/** An Octavo at an address of this machine alone is its owner's, who may make readers to try it. */
function limitsOf({ rateLimits, appUrl }: Config): Partial<LimitRules> | false {
  if (!rateLimits) return false
  return isLoopback(appUrl) ? { signUp: { points: 1000, seconds: 3600 } } : {}
}
