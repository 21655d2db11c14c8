import type { Context } from 'hono'
import { invalidForm, tooLongError, type FieldError, type FieldErrors } from '../errors.ts'
import type { Realtime } from '../realtime/index.ts'
import type { Limits } from '../limits/index.ts'
import { parseTopic } from '../realtime/topic.ts'
import { errors } from '../schema/validate.ts'
import { baseHeaders, emptyResponse } from './response.ts'
import { readBody } from './body.ts'
import type { Handler } from './request-info.ts'

type Address = (c: Context) => string
export const maxTopics = 1000
const topicBytes = 2500
const bodyBytes = { all: maxTopics * topicBytes, text: maxTopics * topicBytes }
/**
 * Subscriptions with a filter, as each is a query at every event, and in the transaction of every
 * delete.
 */
const maxFilters = 50

/** `GET /realtime`: the event stream */
export function connectRoute(realtime: Realtime, address: Address): Handler {
  return async (c) => {
    const headers = {
      ...baseHeaders,
      'Content-Type': 'text/event-stream',
      'X-Accel-Buffering': 'no',
    }
    if (c.req.method === 'HEAD') return new Response(null, { headers })
    const account = c.get('viewer')?.id ?? ''
    const client = await realtime.connect({ address: address(c), account })
    return new Response(client.stream, { headers })
  }
}

/** Subscriptions that count as one request, as each may be stored for other processes. */
const topicsPerPoint = 50

/** `POST /realtime`: sets an event stream's subscriptions and viewer */
export function subscribeRoute(realtime: Realtime, address: Address, limits: Limits): Handler {
  return async (c) => {
    const { data } = await readBody(c.req.raw, bodyBytes)
    const { clientId, subscriptions } = checked(data)
    const points = Math.floor(subscriptions.length / topicsPerPoint)
    const admit = async () => {
      if (points > 0) await limits.admit('api', c.get('network'), points)
    }
    const viewer = c.get('viewer')
    const wish = { client: clientId, viewer, address: address(c), names: subscriptions }
    await realtime.subscribe(wish, admit)
    // Read after subscribing, as later changes arrive as events.
    const changed = viewer ? realtime.lastChange(viewer.id) : undefined
    return emptyResponse(changed === undefined ? {} : { 'X-Last-Change': String(changed) })
  }
}

function checked(data: Record<string, unknown>): { clientId: string; subscriptions: string[] } {
  const found: FieldErrors = {}
  const { clientId, subscriptions = [] } = data
  if (typeof clientId !== 'string' || !clientId) found['clientId'] = errors.required
  else if (clientId.length > 255) found['clientId'] = tooLongError(255)
  const list: unknown[] = Array.isArray(subscriptions) ? subscriptions : [subscriptions]
  if (list.length > maxTopics) found['subscriptions'] = tooLongError(maxTopics)
  else {
    const wrong = list.flatMap((topic, i) => {
      const error = wrongTopic(topic)
      return error ? [[String(i), error] as const] : []
    })
    if (wrong.length) found['subscriptions'] = Object.fromEntries(wrong)
  }
  if (!found['subscriptions'] && filters(list as string[]) > maxFilters)
    found['subscriptions'] = tooLongError(maxFilters)
  if (Object.keys(found).length) throw invalidForm(found)
  return { clientId: clientId as string, subscriptions: list as string[] }
}

/**
 * An event's name is its subscription, so it must be one line. Databases can't store lone
 * surrogates.
 */
function wrongTopic(topic: unknown): FieldError | undefined {
  if (typeof topic !== 'string' || /[\r\n]/.test(topic) || !topic.isWellFormed())
    return errors.format
  return Buffer.byteLength(topic) > topicBytes ? tooLongError(topicBytes) : undefined
}

function filters(topics: readonly string[]): number {
  return new Set(topics.filter((topic) => parseTopic(topic, () => undefined).query['filter'])).size
}
