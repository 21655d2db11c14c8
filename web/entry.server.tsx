import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import {
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
} from 'react-router'
import { defaultLanguage, preferredLanguage, type Language } from '#shared/language.ts'
import {
  actionApiContext,
  apiContext,
  errorContext,
  nonceContext,
  queriesContext,
  renderContext,
  type RenderLimits,
} from './api/context.ts'
import { createQueryClient } from './api/query-client.ts'
import { createActionClient, createServerClient } from './api/server-client.ts'
import { sessionQuery } from './api/session.ts'
import { siteQuery, type Site } from './api/site.ts'
import { isSupportedLanguage, setLanguageOfRequest, supportedLanguages } from './i18n/language.ts'
import { messageMap } from './i18n/message-map.ts'
import { translator } from './i18n/answers.ts'
import { setTranslator } from './i18n/lazy-answers.ts'
import { NonceContext } from './nonce.ts'

/** From the bundle of the screens, since its contexts are told apart by their class. */
export { createRequestHandler } from 'react-router'

export const streamTimeout = 5_000

/**
 * What the server hands to a page: the way to the API inside the process, the visitor's cookie, the
 * nonce of this answer's scripts, who is told of failures, and what the operator has set.
 */
export interface PageInput {
  fetch: (request: Request) => Response | Promise<Response>
  /** Of a request that writes: the way to the API for its action, as whoever sent it. */
  act?: Pick<Parameters<typeof createActionClient>[0], 'fetch' | 'onCookie'> | undefined
  cookie: string
  nonce: string
  onError: (error: unknown) => void
  /** Absent if rendering is neither limited nor charged. */
  rendering?: RenderLimits | undefined
  site: Site
}

/** Makes the context that the loaders of one request read. Called by the server. */
export function createPageContext(input: PageInput): RouterContextProvider {
  const context = new RouterContextProvider()
  const queries = createQueryClient()
  queries.setQueryData(siteQuery.queryKey, input.site)
  context.set(apiContext, createServerClient({ ...input, origin: input.site.url }))
  if (input.act)
    context.set(actionApiContext, createActionClient({ ...input.act, origin: input.site.url }))
  context.set(queriesContext, queries)
  context.set(nonceContext, input.nonce)
  context.set(errorContext, input.onError)
  if (input.rendering) context.set(renderContext, input.rendering)
  return context
}

const pageLanguage = new AsyncLocalStorage<Language>()
setLanguageOfRequest(() => pageLanguage.getStore() ?? defaultLanguage)
setTranslator(translator)

/**
 * Runs the loaders and the rendering of a page in the language of its reader: the one that the
 * address names, else the one in their settings, else the one they chose as a visitor, else the one
 * their browser asks for.
 *
 * @param asked.named in the address
 * @param asked.chosen by a visitor, in a cookie
 * @param asked.acceptLanguage the request's header
 */
export async function inLanguage<T>(
  context: RouterContextProvider,
  asked: { named: string | undefined; chosen: string | undefined; acceptLanguage: string },
  run: () => Promise<T>,
): Promise<T> {
  // The root's loader asks the same and finds it cached. What fails here fails there and is shown.
  const session = await context
    .get(queriesContext)
    .query({ ...sessionQuery(context.get(apiContext)), staleTime: Number.POSITIVE_INFINITY })
    .catch(() => null)
  const known = [asked.named, session?.settings?.language, asked.chosen].find(isSupportedLanguage)
  const language = known ?? preferredLanguage(asked.acceptLanguage, [...supportedLanguages])
  return pageLanguage.run(language, run)
}

/** Renders a page, and sends it whole: its loaders have answered, so there is nothing to wait for. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const nonce = context.get(nonceContext)
  const { inTurn, charge } = context.get(renderContext)
  const render = () =>
    new Promise<Response>((resolve, reject) => {
      let hasShell = false
      // React renders in one go, right after this call.
      const begun = performance.now()
      const { pipe, abort } = renderToPipeableStream(
        <NonceContext value={nonce}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </NonceContext>,
        {
          nonce,
          importMap: messageMap(),
          // No part is held back for a script to put in its place.
          progressiveChunkSize: Number.POSITIVE_INFINITY,
          onShellReady() {
            hasShell = true
          },
          onAllReady() {
            clearTimeout(timeout)
            headers.set('Content-Type', 'text/html; charset=utf-8')
            const html = text(pipe(new PassThrough()))
            charge(performance.now() - begun)
            resolve(html.then((whole) => new Response(whole, { headers, status })))
          },
          onShellError: (error: unknown) =>
            reject(error instanceof Error ? error : new Error(String(error))),
          onError(error: unknown) {
            // Before the shell the error goes to the caller; after it only the log is left.
            if (hasShell) context.get(errorContext)(error)
          },
        },
      )
      const timeout = setTimeout(() => abort(), streamTimeout + 1000)
    })
  return inTurn(render)
}

/** The API's status while storage fails, which it logs itself, once a second. */
const logged = [503, 507]

/** Errors of loaders: what is the caller's doing (a 404, a wrong method) is no news to the log. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
): void {
  const status = isRouteErrorResponse(error) ? error.status : 500
  if (status >= 500 && !logged.includes(status) && !request.signal.aborted)
    context.get(errorContext)(error)
}
