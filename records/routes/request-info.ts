import type { Context } from 'hono'
import type { RequestInfo, Viewer } from '../access/request.ts'
import type { Uploads } from '../files/uploads.ts'

/** What the service's middleware leaves on a request for its routes. */
export interface Env {
  Variables: {
    viewer: Viewer | null
    /** Where it comes from, as limits count it; '' is the process itself. */
    network: string
    /** Set by routes that read a body. */
    body?: Readonly<Record<string, unknown>>
    uploads?: Uploads
  }
}

/** @returns what rules may know of the request; see {@link RequestInfo} */
export function requestInfo(
  c: Context<Env>,
  context: RequestInfo['context'] = 'default',
): RequestInfo {
  return {
    context,
    method: c.req.method,
    query: c.req.query(),
    // Few rules ask for them, and naming them anew costs more than the rest of this.
    get headers() {
      return snakeCased(c.req.raw.headers)
    },
    body: c.get('body') ?? {},
    viewer: c.get('viewer') ?? null,
    uploads: c.get('uploads'),
  }
}

/** @returns the headers by the names that rules know them by */
export function snakeCased(headers: Headers): Record<string, string> {
  const named: Record<string, string> = Object.create(null) as Record<string, string>
  headers.forEach((value, name) => (named[name.toLowerCase().replaceAll('-', '_')] = value))
  return named
}
