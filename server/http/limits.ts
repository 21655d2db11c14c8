import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ApiError } from '#records/index.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Bytes a request may have. Headers are limited by Node (16 KB). */
export const limits = {
  url: 8 * kilobyte,
  json: megabyte,
  /** One picture of 5 MB and the form around it. */
  upload: 5 * megabyte + 64 * kilobyte,
  batch: 12 * megabyte,
} as const

/** Refuses what is too big before anything is parsed, also when its length was not told. */
export function requestLimits(): MiddlewareHandler {
  const onError = () => {
    throw new ApiError(413)
  }
  const byKind = {
    json: bodyLimit({ maxSize: limits.json, onError }),
    upload: bodyLimit({ maxSize: limits.upload, onError }),
    batch: bodyLimit({ maxSize: limits.batch, onError }),
  }
  return (c, next) => {
    if (c.req.url.length > limits.url) throw new ApiError(414, 'The address is too long.')
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    if (c.req.header('content-encoding'))
      throw new ApiError(415, 'Compressed request bodies are not accepted.')
    if (c.req.path === '/api/batch') return byKind.batch(c, next)
    const isForm = c.req.header('content-type')?.toLowerCase().startsWith('multipart/form-data')
    return (isForm ? byKind.upload : byKind.json)(c, next)
  }
}
