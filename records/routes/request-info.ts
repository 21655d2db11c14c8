import type { Context } from 'hono'
import type { Uploads } from '../files/uploads.ts'
import type { RequestInfo, Viewer } from '../filter/request.ts'

/** Variables that the service's middleware sets for its routes. */
export interface Env {
  Variables: {
    viewer: Viewer | null
    /** The network that rate limits count the request for; '' is the process itself. */
    network: string
    /** Set by routes that read a body. */
    body?: Readonly<Record<string, unknown>>
    uploads?: Uploads
  }
}

/** Handles one route. */
export type Handler = (c: Context<Env>) => Promise<Response>

/** @returns the parts of the request that rules can see; see {@link RequestInfo} */
export function requestInfo(
  c: Context<Env>,
  context: RequestInfo['context'] = 'default',
): RequestInfo {
  return {
    context,
    method: c.req.method,
    query: c.req.query(),
    headers: new Proxy({ raw: c.req.raw }, lazyHeaders) as unknown as RequestInfo['headers'],
    body: c.get('body') ?? {},
    viewer: c.get('viewer') ?? null,
    uploads: c.get('uploads'),
    network: c.get('network'),
  }
}

interface HeaderSource {
  raw: Request
  named?: Record<string, string>
}

function namesOf(source: HeaderSource): Record<string, string> {
  return (source.named ??= snakeCased(source.raw.headers))
}

/**
 * Few rules use headers, and converting all their names costs more than a view, so they are
 * converted when the first one is read. (A getter in the object would cost as much as converting.)
 */
const lazyHeaders: ProxyHandler<HeaderSource> = {
  get: (source, name) => (typeof name === 'string' ? namesOf(source)[name] : undefined),
  has: (source, name) => name in namesOf(source),
  ownKeys: (source) => Reflect.ownKeys(namesOf(source)),
  getOwnPropertyDescriptor: (source, name) =>
    Reflect.getOwnPropertyDescriptor(namesOf(source), name),
}

/** @returns the headers by the names that rules use */
export function snakeCased(headers: Headers): Record<string, string> {
  const named: Record<string, string> = Object.create(null) as Record<string, string>
  headers.forEach((value, name) => (named[name.toLowerCase().replaceAll('-', '_')] = value))
  return named
}
