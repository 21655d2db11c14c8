import type { Context } from 'hono'
import type { RequestInfo } from '../access/request.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../schema/collection.ts'
import type { Env } from './request-info.ts'

/** What the reading routes need. */
export interface ReadDeps {
  database: Database
  schema: Schema
  requestInfo(c: Context<Env>): RequestInfo
}

/** `GET /collections/:collection/records` */
export function listRoute(deps: ReadDeps): (c: Context<Env>) => Promise<Response> {
  throw new Error('in progress')
}
