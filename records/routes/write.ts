import type { Context } from 'hono'
import type { Core } from '../write/core.ts'
import { ApiError } from '../errors.ts'
import { writeAttempts } from '../limits/attempts.ts'
import { parseFields } from '../read/pick.ts'
import type { Collection } from '../schema/collection.ts'
import { readUploads } from '../files/uploads.ts'
import { createWrite } from '../write/create.ts'
import { updateWrite } from '../write/update.ts'
import { runDelete, runWrite } from '../write/write.ts'
import { emptyResponse, jsonResponse } from './response.ts'
import { bodyLimit, readBody, spoolFor, visitorLimit } from './body.ts'
import { requestInfo, type Env, type Handler } from './request-info.ts'

/** `POST /collections/:collection/records` */
export function createRoute(core: Core): Handler {
  return async (c) => {
    const collection = writable(core, c, 'Missing or invalid collection context.')
    return withBody(core, c, collection, async () => {
      const json = await limited(core, c, collection, '', () =>
        runWrite(core, createWrite(core, collection, requestInfo(c))),
      )
      return jsonResponse(json)
    })
  }
}

/** `PATCH /collections/:collection/records/:id` */
export function updateRoute(core: Core): Handler {
  return async (c) => {
    const collection = writable(core, c, 'Missing or invalid collection context.')
    return withBody(core, c, collection, async () => {
      const id = recordId(c)
      const json = await limited(core, c, collection, id, () =>
        runWrite(core, updateWrite(core, collection, id, requestInfo(c))),
      )
      return jsonResponse(json)
    })
  }
}

/** `DELETE /collections/:collection/records/:id` */
export function deleteRoute(core: Core): Handler {
  return async (c) => {
    const collection = writable(core, c, 'Missing collection context.')
    await runDelete(core, collection, recordId(c), requestInfo(c))
    return emptyResponse()
  }
}

async function limited<T>(
  { limits, diskSpace }: Core,
  c: Context<Env>,
  collection: Collection,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  await diskSpace?.admitWrite()
  const write = { collection, action: c.req.method, id, body: c.get('body') ?? {} }
  return limits.attempt(writeAttempts(c.get('network'), [write]), work)
}

function writable(core: Core, c: Context<Env>, missing: string): Collection {
  const collection = core.schema.find(c.req.param('collection') ?? '')
  if (!collection) throw new ApiError(404, missing)
  if (collection.type === 'view') throw new ApiError(400, 'Unsupported collection type.')
  return collection
}

/** PostgreSQL can't store NUL, so no id contains it. */
function recordId(c: Context<Env>): string {
  const id = c.req.param('id') ?? ''
  if (id.includes('\0')) throw new ApiError(404)
  return id
}

async function withBody(
  core: Core,
  c: Context<Env>,
  collection: Collection,
  work: () => Promise<Response>,
): Promise<Response> {
  // Checks `fields` before the body is read and anything is written.
  parseFields(c.req.query('fields'))
  const limit = bodyLimit(collection, spoolFor(core))
  const body = await readBody(c.req.raw, c.get('viewer') ? limit : visitorLimit(limit))
  try {
    const { data, uploads } = readUploads(core.files, collection, body)
    c.set('body', data)
    c.set('uploads', uploads)
    return await work()
  } finally {
    await body.release().catch(core.report)
  }
}
