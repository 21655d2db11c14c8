import type { Context } from 'hono'
import { currentBudget, withBudget } from '../database/request-budget.ts'
import type { ApiError } from '../errors.ts'
import { parseFields, pickJson } from '../read/pick.ts'
import { safeJson } from '../read/wire.ts'

/**
 * Headers of every response: no caching, no content sniffing, no framing, no scripts. A plain
 * object, with no middleware that adds to it later, lets the HTTP adapter write head and body in
 * one go, which is half the cost of a short response.
 */
export const baseHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  Vary: 'Origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
}
const headers = { 'Content-Type': 'application/json', ...baseHeaders }

/** A response of JSON text; see ../read/wire.ts for records. */
export function jsonResponse(
  text: string,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${text}\n`, { status, headers: { ...headers, ...more } })
}

/** A JSON response, reduced to the keys in the request's `fields`. */
export function pickedResponse(c: Context, text: string): Response {
  return jsonResponse(pickJson(text, parseFields(c.req.query('fields'))))
}

/**
 * A response that is produced while it is sent, as fast as the client reads it.
 *
 * @param failed called with the error if it breaks off
 */
export function streamedResponse(
  text: string,
  rest: AsyncGenerator<string>,
  failed: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder()
  const payer = currentBudget()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(text)),
      async pull(controller) {
        try {
          const { value, done } = await withBudget(payer, () => rest.next())
          controller.enqueue(encoder.encode(done ? '\n' : value))
          if (done) controller.close()
        } catch (error) {
          failed(error)
          controller.error(error)
        }
      },
      cancel: async () => void (await rest.return(undefined)),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers })
}

/** The response for an error. */
export function errorResponse(error: ApiError): Response {
  return jsonResponse(toJson(error), error.status, error.headers)
}

/** The response of a delete: 204 without a body. */
export function emptyResponse(more: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...baseHeaders, ...more } })
}

/** @returns JSON that is also safe inside a script element */
export function toJson(value: unknown): string {
  return safeJson(JSON.stringify(value))
}
