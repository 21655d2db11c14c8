import * as z from 'zod'
import { trashCollections, maxRestored } from './trash.ts'

export const recordId = z.string().regex(/^[a-z0-9]{15}$/, 'Must be the id of a record.')

/** The records to restore, in their own file, as the trash's screen doesn't need the schema. */
export const restoreForm = z.object({
  collection: z.enum(trashCollections, `Collection must be one of ${trashCollections.join(', ')}.`),
  ids: z.array(recordId).min(1, 'Name at least one record.').max(maxRestored),
})
