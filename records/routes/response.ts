import type { Context } from 'hono'
import { currentBudget, withBudget } from '../database/request-budget.ts'
import type { ApiError } from '../errors.ts'
import { parseFields, pickJson } from '../read/pick.ts'
import { safeJson } from '../read/wire.ts'

/**
 * What every answer carries: it is kept nowhere, guessed as nothing else, framed and run by nobody.
 * A plain object, and no middleware that adds to it later: the HTTP adapter then writes head and body
 * in one go, which is half of the cost of a short answer.
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

/** An answer that is JSON text already; see ../read/wire.ts for records. */
export function jsonResponse(text: string, status = 200): Response {
  return new Response(`${text}\n`, { status, headers })
}

/** An answer of which the client may have asked for some keys only. */
export function pickedResponse(c: Context, text: string): Response {
  return jsonResponse(pickJson(text, parseFields(c.req.query('fields'))))
}

/**
 * An answer that is made while it is sent, as quickly as it is taken.
 *
 * @param failed told when it breaks off
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

/** The body of a refusal; a 204 and an error both are nothing to keep. */
export function errorResponse(error: ApiError): Response {
  const answer = jsonResponse(toJson(error), error.status)
  // What is left of the body is not wanted: the client need not send it to the end.
  if (error.status === 413) answer.headers.set('Connection', 'close')
  if (error.retryAfter !== undefined) answer.headers.set('Retry-After', `${error.retryAfter}`)
  return answer
}

/** What a delete answers: 204 and nothing. */
export function emptyResponse(more: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...baseHeaders, ...more } })
}

/** @returns JSON that is also safe inside a script element */
export function toJson(value: unknown): string {
  return safeJson(JSON.stringify(value))
}
