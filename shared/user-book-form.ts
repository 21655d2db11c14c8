import * as z from 'zod'
import { isbnMessage, parseIsbn } from './isbn.ts'
import { isValidProgress, progressMessage } from './reading-position.ts'
import { statuses } from './user-book.ts'

const list = z.array(z.string().trim().min(1, 'Must not contain empty values.'))
const amount = (name: string, most: number) =>
  z
    .number(`${name} must be a number.`)
    .min(0, `${name} must be greater than or equal to 0.`)
    .max(most, `${name} must be at most ${most}.`)
const count = (name: string) =>
  amount(name, 100_000).int(`${name} must be a whole number.`).default(0)

/** All editable fields of a book on a shelf in the forms, with the specification's messages. */
export const userBookFields = z.object({
  title: z
    .string('Title is required and cannot be empty.')
    .trim()
    .min(1, 'Title is required and cannot be empty.')
    .max(500, 'Title cannot exceed 500 characters.'),
  authors: list.default([]),
  genres: list.default([]),
  images: list.default([]),
  isbn: z
    .string()
    .refine((value) => value === '' || parseIsbn(value) !== null, isbnMessage)
    .default(''),
  page_count: count('Page count'),
  progress: count('Progress'),
  progress_percent: z
    .number('Percent must be a number.')
    .min(0, 'Percent must be at least 0.')
    .max(100, 'Percent must be at most 100.')
    .optional(),
  rating: z
    .number('Rating must be a number.')
    .min(0, 'Rating must be at least 0.')
    .max(10, 'Rating must be at most 10.')
    .default(0),
  status: z.enum(
    statuses,
    'Status must be one of: completed, reading, paused, dropped, or planning.',
  ),
  shelf: z.string('Shelf is required.').min(1, 'Shelf is required.'),
})

/** Larger totals wouldn't be exact. */
const most = Number.MAX_SAFE_INTEGER

/** A book in the API, as in the specification, which is less strict than the forms. */
export const userBookForm = userBookFields
  .extend({
    page_count: amount('Page count', most).default(0),
    progress: amount('Progress', most).default(0),
  })
  .refine(isValidProgress, { path: ['progress'], message: progressMessage })
export type UserBookForm = z.infer<typeof userBookForm>
