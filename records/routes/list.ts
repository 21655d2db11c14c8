import type { Context } from 'hono'
import type { RequestInfo } from '../filter/request.ts'
import { refuseLockedRule } from '../access/rule.ts'
import type { Database } from '../database/database.ts'
import type { Limits } from '../limits/index.ts'
import { ApiError } from '../errors.ts'
import { jsonResponse, streamedResponse } from './response.ts'
import { listRecords } from '../read/read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import { listParams } from './params.ts'
import type { Env, Handler } from './request-info.ts'

/** Dependencies of the routes that read. */
export interface ReadDeps {
  database: Database
  schema: Schema
  requestInfo(c: Context<Env>): RequestInfo
  limits: Limits
  /** Reports errors after a response has started. */
  report: (error: unknown) => void
}

/** `GET /collections/:collection/records` */
export function listRoute(deps: ReadDeps): Handler {
  return async (c) => {
    const collection = readCollection(deps.schema, c)
    refuseLockedRule(collection.rules.list)
    const request = deps.requestInfo(c)
    const params = listParams(request.query)
    const { json, rest, count } = await listRecords(
      deps.database,
      deps.schema,
      collection,
      request,
      params,
    )
    // If everyone may list everything, there is nothing hidden to guess.
    if (count === 0 && params.filter !== '' && collection.rules.list !== '')
      await deps.limits.delayEmptyList(c.get('network'))
    return rest ? streamedResponse(json, rest, deps.report) : jsonResponse(json)
  }
}

/** @throws ApiError 404 if the URL names no collection */
export function readCollection(schema: Schema, c: Context<Env>): Collection {
  const collection = schema.find(c.req.param('collection') ?? '')
  if (!collection) throw new ApiError(404, 'Missing collection context.')
  return collection
}
