import type { Viewer } from '../filter/request.ts'
import type { Db } from '../database/database.ts'
import type { Schema } from '../schema/collection.ts'
import type { StoredRecord } from '../schema/values.ts'
import { readApiTokenById } from './api-tokens.ts'
import { readSession } from './sessions.ts'

/**
 * Reads the account of a viewer again.
 *
 * @returns null if the session or API token that the viewer came with has ended
 */
export async function readViewerAccount(
  db: Db,
  schema: Schema,
  { collectionId, session, scope }: Pick<Viewer, 'collectionId' | 'session' | 'scope'>,
  now: number,
): Promise<StoredRecord | null> {
  const found = scope
    ? await readApiTokenById(db, schema, session, now)
    : await readSession(db, schema.get(collectionId), session, now)
  return found?.record ?? null
}
