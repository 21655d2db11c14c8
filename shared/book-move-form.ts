import * as z from 'zod'
import { orderedLists } from './book-order.ts'
import { recordId } from './restore-form.ts'

export const bookMoveForm = z
  .object({
    list: z.enum(orderedLists, "List must be 'queue' or 'shelf'."),
    book: recordId,
    after: z.union([recordId, z.literal('')], 'Must be the id of a record, or empty.').default(''),
  })
  .refine(({ book, after }) => book !== after, {
    path: ['after'],
    message: 'A book cannot come after itself.',
  })
