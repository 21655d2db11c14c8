import * as z from 'zod'
import { visibleText } from './form-fields.ts'
import { digitsOfIsbn } from './isbn.ts'
import { isValidProgress } from './reading-position.ts'
import { refusal, rule } from './rule.ts'
import { statuses } from './user-book.ts'

const list = z.array(visibleText('emptyValue'))
const amount = (most: number) =>
  z.number(rule('notANumber')).min(0, rule('notNegative')).max(most, rule('numberAtMost'))
const count = amount(100_000).int(rule('notWhole')).default(0)
const numberBetween = (least: number, most: number) =>
  z.number(rule('notANumber')).min(least, rule('numberAtLeast')).max(most, rule('numberAtMost'))

/** All editable fields of a book on a shelf in the forms, with the specification's messages. */
export const userBookFields = z.object({
  title: visibleText('required').max(500, rule('charactersAtMost')),
  authors: list.default([]),
  genres: list.default([]),
  images: list.default([]),
  isbn: z
    .string()
    .refine((value) => value === '' || digitsOfIsbn(value) !== null, rule('isbn'))
    .default(''),
  page_count: count,
  progress: count,
  progress_percent: numberBetween(0, 100).optional(),
  rating: numberBetween(0, 10).default(0),
  status: z.enum(statuses, rule('status')),
  shelf: z.string(rule('shelfRequired')).min(1, rule('shelfRequired')),
})

/** Larger totals wouldn't be exact. */
const most = Number.MAX_SAFE_INTEGER

/** A book in the API, as in the specification, which is less strict than the forms. */
export const userBookForm = userBookFields
  .extend({
    page_count: amount(most).default(0),
    progress: amount(most).default(0),
  })
  .refine(isValidProgress, { path: ['progress'], ...refusal('progressBeyondBook') })
export type UserBookForm = z.infer<typeof userBookForm>
