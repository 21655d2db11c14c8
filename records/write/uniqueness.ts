import { UniqueError } from '../database/database.ts'
import { ApiError, failedTo } from '../errors.ts'
import { findRecord } from '../read/read.ts'
import { isInTrash } from './trash/find.ts'
import type { Collection } from '../schema/collection.ts'
import { errors } from '../schema/validate.ts'
import type { WriteContext } from './context.ts'

/** The id of a record in the trash stays reserved. */
export async function refuseTrashedId(
  tx: WriteContext,
  collection: Collection,
  id: string,
): Promise<void> {
  if (collection.trashLife && (await isInTrash(tx, collection, id)))
    throw new ApiError(400, failedTo.create, { id: errors.notUnique })
}

/** An account's id is unique over all auth collections. */
export async function refuseDuplicateAccount(
  tx: WriteContext,
  collection: Collection,
  id: string,
): Promise<void> {
  for (const other of tx.core.schema.collections) {
    if (other.type !== 'auth' || other === collection) continue
    if (await findRecord(tx, other, id))
      throw new ApiError(400, failedTo.create, { id: errors.authId })
  }
}

/**
 * Runs work that writes a row.
 *
 * @throws ApiError 400 with the unique fields whose value another record has
 */
export async function reportDuplicates(
  collection: Collection,
  message: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof UniqueError)) throw error
    const taken = collection.fields
      .filter((field) => error.columns.includes(field.name) && field.readable !== 'nobody')
      .map((field) => field.name)
    throw new ApiError(
      400,
      message,
      Object.fromEntries(taken.map((column) => [column, errors.notUnique])),
      error,
    )
  }
}
