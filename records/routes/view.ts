import { ApiError } from '../errors.ts'
import { viewRecord } from '../read/read.ts'
import { jsonResponse, streamedResponse } from './response.ts'
import { readCollection, type ReadDeps } from './list.ts'
import type { Handler } from './request-info.ts'

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
