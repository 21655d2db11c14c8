import type {
  createRequestHandler,
  RequestHandler,
  RouterContextProvider,
  ServerBuild,
} from 'react-router'
import type { Logger } from 'pino'
import { ApiError, meter, Turns } from '#records/index.ts'
import { languageParameter } from '#shared/language.ts'
import { fromVisitorView, isVisitorView } from '#shared/visitor-view.ts'
import type { LibraryRecords } from '#server/collections/stored.ts'
import { passedOnHeaders } from '#server/http/passed-on-headers.ts'
import type { Config } from '#server/settings/config.ts'
import type { Web } from './web-build.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'

/** The exports of the built web: the screens, their context and their request handler. */
interface WebEntry {
  createPageContext(input: PageInput): RouterContextProvider
  createRequestHandler: typeof createRequestHandler
  inLanguage<T>(
    context: RouterContextProvider,
    asked: { named: string | undefined; chosen: string | undefined; acceptLanguage: string },
    run: () => Promise<T>,
  ): Promise<T>
}

type Fetch = (request: Request) => Response | Promise<Response>

interface PageInput {
  fetch: Fetch
  /** Of a request that writes: the way to the API for its action, as whoever sent it. */
  act?: { fetch: Fetch; onCookie: (cookie: string) => void } | undefined
  cookie: string
  nonce: string
  /** Called with server-side failures of a page. */
  onError: (error: unknown) => void
  /** Limits rendering and charges the client for it, in milliseconds. */
  rendering: {
    inTurn: (render: () => Promise<Response>) => Promise<Response>
    charge: (milliseconds: number) => void
  }
  site: {
    url: string
    providers: { name: string; displayName: string }[]
    signUps: Config['signUps']
    signInCode: boolean
    passwordSignIn: boolean
    hasMailServer: boolean
    plan: Config['planDefault']
    testimonials?: NonNullable<Config['testimonials']>
    payments?: NonNullable<Config['stripe']>['pages']
  } & Config['links']
}

export type RenderPage = (
  request: Request,
  nonce: string,
  about?: {
    /** Whether requests of other clients wait for this page too. */
    isForAll?: boolean
    /** What is known of the connection, for calls that count by it. */
    connection?: object | undefined
  },
) => Promise<Response>

/**
 * Renders the screens on the server. Their loaders call the API in process with the visitor's own
 * cookie, so a page shows what the API would answer and nothing else. Their actions call it with all
 * the headers of the request, so that its rules and limits hold for forms too.
 *
 * @param loadWeb returns the built web; called for every page, so that development can replace it
 */
export function createPages(
  loadWeb: Web['load'],
  {
    fetch,
    records,
    config,
    log,
  }: {
    fetch: (request: Request, connection?: object) => Response | Promise<Response>
    records: Pick<LibraryRecords, 'sessionCookies' | 'refuseForeignOrigin'>
    log: Logger
    config: Pick<
      Config,
      | 'appUrl'
      | 'links'
      | 'passwordSignIn'
      | 'planDefault'
      | 'providers'
      | 'signInCode'
      | 'signUps'
      | 'smtpUrl'
      | 'stripe'
      | 'testimonials'
    >
  },
): RenderPage {
  const turns = new Turns()
  const site: PageInput['site'] = {
    url: config.appUrl,
    providers: config.providers.map(({ name, displayName }) => ({ name, displayName })),
    signUps: config.signUps,
    signInCode: config.signInCode,
    passwordSignIn: config.passwordSignIn,
    hasMailServer: Boolean(config.smtpUrl),
    plan: config.planDefault,
    ...(config.testimonials && { testimonials: config.testimonials }),
    ...(config.stripe && { payments: config.stripe.pages }),
    ...config.links,
  }
  const mode = process.env['NODE_ENV'] === 'development' ? 'development' : 'production'
  let handler: { build: ServerBuild; handle: RequestHandler } | undefined
  return async (asked, nonce, { isForAll, connection } = {}) => {
    const request = forVisitor(asked)
    const isWrite = !['GET', 'HEAD'].includes(request.method)
    if (isWrite) records.refuseForeignOrigin(request)
    const build = await loadWeb()
    const entry = build.entry.module as unknown as WebEntry
    if (handler?.build !== build)
      handler = { build, handle: entry.createRequestHandler(build, mode) }
    const cookie = await records.sessionCookies(request)
    const acceptLanguage = request.headers.get('accept-language') ?? ''
    const cookies: string[] = []
    let refusal: ApiError | undefined
    const context = entry.createPageContext({
      // Search results depend on it and must be the same as for the browser's own requests.
      fetch: (call) => {
        call.headers.set('accept-language', acceptLanguage)
        return fetch(call)
      },
      ...(isWrite && {
        act: {
          fetch: (call) => fetch(asSender(call, request), connection),
          onCookie: (cookie) => cookies.push(cookie),
        },
      }),
      cookie,
      nonce,
      rendering: {
        inTurn: async (render) => {
          try {
            return await turns.run(render, isForAll)
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            // The router would render an error page instead.
            refusal = error
            return new Response(null, { status: error.status })
          }
        },
        charge: meter() ?? (() => undefined),
      },
      onError: (err) => log.error({ err, path: new URL(request.url).pathname }, 'page failed'),
      site,
    })
    const { handle } = handler
    const language = {
      named: new URL(request.url).searchParams.get(languageParameter) ?? undefined,
      chosen: chosenLanguage(request),
      acceptLanguage,
    }
    const response = await entry.inLanguage(context, language, () =>
      handle(readable(request), context),
    )
    for (const one of cookies) response.headers.append('set-cookie', one)
    if (refusal) throw refusal
    // A reader's own page must not be cached.
    const cache = request.headers.get('cookie')?.includes('pb_auth=')
      ? 'private, no-store'
      : 'public, no-cache'
    response.headers.append('vary', 'Accept-Language, Cookie')
    if (response.status === 503) response.headers.set('retry-after', '2')
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', cache)
    return response
  }
}

/** "View as visitor" renders the page without the caller's cookies. */
function forVisitor(request: Request): Request {
  const url = new URL(request.url)
  if (!isVisitorView(url)) return request
  const headers = new Headers(request.headers)
  headers.delete('cookie')
  return new Request(fromVisitorView(url), { method: request.method, headers })
}

/** An action's call to the API with the address and headers of the request that it answers. */
function asSender(call: Request, sender: Request): Request {
  const { pathname, search } = new URL(call.url)
  const headers = passedOnHeaders(sender)
  for (const [name, value] of call.headers) headers.set(name, value)
  headers.set('x-session', 'cookie')
  const init = { method: call.method, headers, body: call.body, duplex: 'half' }
  return new Request(new URL(pathname + search, sender.url), init)
}

/**
 * The router would compare the origin, which is already checked, with the address a proxy
 * uses, and log an error for a path with invalid escapes: such a request goes to the screen that
 * answers 400.
 */
function readable(request: Request): Request {
  const url = new URL(request.url)
  try {
    decodeURIComponent(url.pathname)
  } catch {
    url.pathname = `/${encodeURIComponent(url.pathname)}`
    return new Request(url, { method: request.method, headers: request.headers })
  }
  if (!request.headers.has('origin')) return request
  const headers = new Headers(request.headers)
  headers.delete('origin')
  return new Request(request, { headers })
}
