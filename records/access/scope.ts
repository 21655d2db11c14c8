import { ApiError } from '../errors.ts'
import type { RequestInfo, TokenScope, Viewer } from '../filter/request.ts'
import type { Collection } from '../schema/collection.ts'

/**
 * What a door needs of its viewer. `session` is what no API token can do: change the account, sign
 * in, or make tokens.
 */
export type Need = 'read' | 'write' | 'session'

/** The values of an account that only a session may send. */
const credentials = ['email', 'password', 'passwordConfirm', 'oldPassword']

/**
 * Every door asks here what an API token may do. Sessions and visitors pass, as only the access
 * rules limit them.
 *
 * @param collection the only one that is needed; absent for a door that leads to several
 * @throws ApiError 403 that names the scope the viewer's token lacks
 */
export function requireScope(
  viewer: Viewer | null,
  need: Need,
  collection?: Pick<Collection, 'name'>,
): void {
  const scope = viewer?.scope
  if (!scope) return
  if (need === 'session') throw lacking('session')
  if (!covers(scope, collection)) throw lacking(`${need}:${collection?.name ?? '*'}`)
  if (need === 'write' && scope.level === 'read') throw lacking('write')
}

/**
 * {@link requireScope} for the write of a record.
 *
 * @throws ApiError 403 also if it changes an account or what gives access
 */
export function requireWriteScope(
  collection: Collection,
  action: 'create' | 'update' | 'delete',
  { viewer, body }: RequestInfo,
): void {
  const isOfAccount =
    collection.type === 'auth' && (action !== 'update' || credentials.some((name) => name in body))
  const isSessionOnly = isOfAccount || collection.sessionOnly
  requireScope(viewer, isSessionOnly ? 'session' : 'write', collection)
}

/** @returns whether a token may read records of the collection, or of all of them if none is given */
export function covers(
  scope: TokenScope | undefined,
  collection?: Pick<Collection, 'name'>,
): boolean {
  if (!scope?.collections.length) return true
  return collection !== undefined && scope.collections.includes(collection.name)
}

/** @returns the error of a token that lacks a scope. Source of the names: RFC 6750, section 3.1 */
function lacking(scope: string): ApiError {
  const code = 'insufficient_scope'
  const message =
    scope === 'session' ? "API tokens can't do this." : `The API token lacks the scope ${scope}.`
  const error = new ApiError(403, message, { scope: { code, message, params: { scope } } })
  error.challenge = `Bearer error="${code}", scope="${scope}"`
  return error
}
