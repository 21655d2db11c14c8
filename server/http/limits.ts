import type { Context, MiddlewareHandler, Next } from 'hono'
import { ApiError } from '#records/index.ts'
import { maxDeviceFile } from '#shared/connection.ts'
import { maxImportFileBytes } from '#shared/import.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** The most bytes of a request. Node limits headers to 16 KB. */
export const limits = {
  url: 8 * kilobyte,
  json: megabyte,
  /** The bodies of the product's own routes and pages, except webhooks. */
  product: 64 * kilobyte,
  /** One picture of 5 MB and its form. */
  upload: 5 * megabyte + 64 * kilobyte,
  /** A file from another tracker. */
  import: maxImportFileBytes + 64 * kilobyte,
  /** A file that a device keeps here. */
  deviceFile: maxDeviceFile.bytes,
  batch: 12 * megabyte,
} as const

/** Refuses requests that are too large before anything is parsed, even without a Content-Length. */
export function requestLimits(): MiddlewareHandler {
  return (c, next) => {
    const { url, method } = c.req
    if (url.length > limits.url) throw new ApiError(414, answers.addressTooLong)
    return method === 'GET' || method === 'HEAD' ? next() : limitBody(c, next)
  }
}

async function limitBody(c: Context, next: Next): Promise<void> {
  const { req } = c
  if (req.header('content-encoding'))
    throw new ApiError(415, 'Compressed request bodies are not accepted.')
  const max = maxBodyBytes(c)
  const declared = req.header('content-length')
  if (declared !== undefined && !(Number(declared) <= max)) throw new ApiError(413)
  if (declared !== undefined || !req.raw.body) return next()
  const counted = countedBody(req.raw.body, max)
  const { method, headers, signal } = req.raw
  const init = { method, headers, signal, body: counted.body, duplex: 'half' }
  req.raw = new Request(req.url, init)
  await next()
  // Answer 413 whatever the route made of the truncated body.
  if (counted.exceeded()) throw new ApiError(413)
}

const importPath = /^\/api\/collections\/imports\/records\/?$/

function maxBodyBytes({ req }: Context): number {
  if (req.path === '/api/batch') return limits.batch
  if (req.path.startsWith('/dav/')) return req.method === 'PUT' ? limits.deviceFile : limits.product
  if (req.path.startsWith('/readwise/')) return limits.json
  if (!req.path.startsWith('/api/')) return limits.product
  const type = req.header('content-type')?.toLowerCase()
  if (type?.startsWith('multipart/form-data'))
    return importPath.test(req.path) ? limits.import : limits.upload
  return req.path.startsWith('/api/v1/') && !req.path.startsWith('/api/v1/stripe/')
    ? limits.product
    : limits.json
}

/** A body that fails at the limit, so that no more than that is buffered. */
function countedBody(body: ReadableStream<Uint8Array>, max: number) {
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > max) controller.error(new ApiError(413))
      else controller.enqueue(chunk)
    },
  })
  // Cancelling the source would close the connection before the answer.
  const counted = body.pipeThrough(counter, { preventCancel: true })
  return { body: counted, exceeded: () => bytes > max }
}
