import type { ApiError } from '../errors.ts'
import { safeJson } from '../wire.ts'

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

/** An answer that is JSON text already; see ../wire.ts for records. */
export function jsonAnswer(text: string, status = 200): Response {
  return new Response(`${text}\n`, { status, headers })
}

/** The body of a refusal; a 204 and an error both are nothing to keep. */
export function errorAnswer(error: ApiError): Response {
  return jsonAnswer(toJson(error), error.status)
}

export function emptyAnswer(): Response {
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
}

/** @returns JSON that is also safe inside a script element */
export function toJson(value: unknown): string {
  return safeJson(JSON.stringify(value))
}
