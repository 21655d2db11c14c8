import * as z from 'zod'
import { removables, restoredAtOnce } from './removed.ts'

export const recordId = z.string().regex(/^[a-z0-9]{15}$/, 'Must be the id of a record.')

/** What is to come back; screens that only show what was removed do without the schema. */
export const restoreForm = z.object({
  collection: z.enum(removables, `Collection must be one of ${removables.join(', ')}.`),
  ids: z.array(recordId).min(1, 'Name at least one record.').max(restoredAtOnce),
})
