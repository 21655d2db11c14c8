import type { Context } from 'hono'
import type { Env } from './request-info.ts'
import type { ReadDeps } from './list.ts'

/** `GET /collections/:collection/records/:id` */
export function viewRoute(deps: ReadDeps): (c: Context<Env>) => Promise<Response> {
  throw new Error('in progress')
}
