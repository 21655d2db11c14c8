import type { Context } from 'hono'
import type { Viewer } from '../filter/request.ts'
import type { Core } from '../write/core.ts'
import { ApiError, hasFields, invalidForm, type FieldErrors } from '../errors.ts'
import { parseFields } from '../read/pick.ts'
import type { AuthCollection, Collection } from '../schema/collection.ts'
import { codePoints, errors } from '../schema/validate.ts'
import { readBody } from './body.ts'
import type { Env } from './request-info.ts'

/** @throws ApiError 404 if the URL names no auth collection */
export function authCollection(core: Core, c: Context<Env>): AuthCollection {
  const collection = namedCollection(core, c)
  if (!isAuth(collection)) throw new ApiError(404, 'Missing or invalid auth collection context.')
  return collection
}

function namedCollection(core: Core, c: Context<Env>): Collection {
  const collection = core.schema.find(c.req.param('collection') ?? '')
  if (!collection) throw new ApiError(404, 'Missing or invalid collection context.')
  return collection
}

/** Narrows the type instead of copying, as caches are keyed by the collection object. */
function isAuth(collection: Collection): collection is AuthCollection {
  return collection.type === 'auth' && collection.auth !== undefined
}

/**
 * Reads the fields of a form as text.
 *
 * @param limits the maximum length of each required field, in code points
 * @throws ApiError 400 with the errors of the fields
 */
export async function readForm<Name extends string>(
  c: Context<Env>,
  limits: Record<Name, number>,
): Promise<Record<Name, string>> {
  const { form, found } = await readFields(c, limits)
  if (hasFields(found)) throw invalidForm(found)
  return form
}

/**
 * {@link readForm} for a form whose fields are checked further.
 *
 * @returns the form and its errors so far, to be reported along with later ones
 * @throws ApiError 400 for an unreadable body
 */
export async function readFields<Name extends string>(
  c: Context<Env>,
  limits: Record<Name, number>,
): Promise<{ form: Record<Name, string>; found: FieldErrors }> {
  // Before a code is used up: an invalid `fields` must not fail afterwards.
  parseFields(c.req.query('fields'))
  const { data } = await readBody(c.req.raw).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400)
      throw new ApiError(400, 'An error occurred while loading the submitted data.', {}, error)
    throw error
  })
  c.set('body', data)
  const found: FieldErrors = {}
  const form: Record<string, string> = {}
  for (const [name, max] of Object.entries<number>(limits)) {
    const value = data[name]
    // Forms that infer types send a code of digits as a number.
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    form[name] = text
    if (!text) found[name] = errors.required
    else if (codePoints(text) > max)
      found[name] = {
        code: 'validation_length_out_of_range',
        message: `The length must be between 1 and ${max}.`,
        params: { max, min: 1 },
      }
  }
  return { form, found }
}

/**
 * Returns the viewer of a request about their own account.
 *
 * @throws ApiError 404 if the URL names no collection, 401 for a visitor, 403 if it isn't the
 *   account's collection
 */
export function ownAccount(
  core: Core,
  c: Context<Env>,
): { collection: AuthCollection; viewer: Viewer } {
  const collection = namedCollection(core, c)
  const viewer = c.get('viewer')
  if (!viewer) throw new ApiError(401, 'The request requires valid record authorization token.')
  if (viewer.collectionId !== collection.id || !isAuth(collection))
    throw new ApiError(
      403,
      `The request requires auth record from ${viewer.collectionName} collection.`,
    )
  return { collection, viewer }
}
