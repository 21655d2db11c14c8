import * as z from 'zod'
import { orderedLists } from './book-order.ts'
import { recordId } from './record-id.ts'
import { refusal, rule } from './rule.ts'

export const bookMoveForm = z
  .object({
    list: z.enum(orderedLists, rule('orderedList')),
    book: recordId,
    after: z.union([recordId, z.literal('')], rule('recordIdOrEmpty')).default(''),
  })
  .refine(({ book, after }) => book !== after, {
    path: ['after'],
    ...refusal('bookAfterItself'),
  })
