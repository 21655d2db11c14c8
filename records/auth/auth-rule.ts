import type { RequestInfo } from '../filter/request.ts'
import { ApiError } from '../errors.ts'
import { allows, type QuerySource } from '../read/read.ts'
import type { AuthCollection, Schema } from '../schema/collection.ts'

/** @throws ApiError 403 if the collection's rule doesn't let the account sign in */
export async function requireAuthRule(
  db: QuerySource,
  schema: Schema,
  collection: AuthCollection,
  id: string,
  request: RequestInfo,
): Promise<void> {
  const { rule = '' } = collection.auth
  if (rule === '' || (await allows(db, schema, collection, rule, id, request))) return
  throw new ApiError(
    403,
    "The request doesn't satisfy the collection requirements to authenticate.",
  )
}
