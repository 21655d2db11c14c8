import type { Context } from 'hono'
import type { RequestInfo } from '../filter/request.ts'
import { refuseLockedRule } from '../access/rule.ts'
import type { Database } from '../database/database.ts'
import type { Limits } from '../limits/index.ts'
import { ApiError } from '../errors.ts'
import { jsonResponse, streamedResponse } from './response.ts'
import { listRecords, viewRecord, type ListParams } from '../read/read.ts'
import type { Collection, Schema } from '../schema/collection.ts'
import type { Env, Handler } from './request-info.ts'
import { falseWords, trueWords } from '../schema/coerce.ts'

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
function readCollection(schema: Schema, c: Context<Env>): Collection {
  const collection = schema.find(c.req.param('collection') ?? '')
  if (!collection) throw new ApiError(404, 'Missing collection context.')
  return collection
}

/** `GET /collections/:collection/records/:id` */
export function viewRoute(deps: ReadDeps): Handler {
  return async (c) => {
    const collection = readCollection(deps.schema, c)
    const request = deps.requestInfo(c)
    const { expand, fields } = request.query
    const id = c.req.param('id') ?? ''
    const shape = { expand, fields }
    const found = await viewRecord(deps.database, deps.schema, collection, id, request, shape)
    if (!found) throw new ApiError(404)
    const { json, rest } = found
    return rest ? streamedResponse(json, rest, deps.report) : jsonResponse(json)
  }
}

const defaultPerPage = 30
export const maxPerPage = 1000

/**
 * Parses the parameters of a list request. Numbers out of range are clamped.
 *
 * @param query the first value of each key
 * @throws ApiError 400 for an invalid number or boolean
 */
function listParams(query: Readonly<Record<string, string>>): ListParams {
  const page = integer(query.page)
  const perPage = integer(query.perPage)
  return {
    page: page > 0 ? page : 1,
    perPage: perPage > 0 ? Math.min(perPage, maxPerPage) : defaultPerPage,
    skipTotal: boolean(query.skipTotal),
    sort: query.sort ?? '',
    filter: query.filter ?? '',
    expand: query.expand,
    fields: query.fields,
  }
}

/** @returns 0 for the empty text */
function integer(text = ''): number {
  if (text === '') return 0
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new ApiError(400, '', {}, new Error('invalid page or perPage'))
  return value
}

function boolean(text = ''): boolean {
  const isTrue = trueWords.includes(text)
  if (text !== '' && !isTrue && !falseWords.includes(text))
    throw new ApiError(400, '', {}, new Error('invalid skipTotal'))
  return isTrue
}
