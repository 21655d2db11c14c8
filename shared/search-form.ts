import * as z from 'zod'
import { isbnMessage, parseIsbn } from './isbn.ts'
import { displayLength } from './text.ts'

const field = (name: string) =>
  z
    .string()
    .trim()
    .refine((v) => v === '' || displayLength(v) >= 2, `${name} must be at least 2 characters long.`)
    .refine((v) => displayLength(v) <= 255, `${name} must be less than 255 characters.`)
    .default('')

/** What Explore may ask for. `by` 1 is relevance on all words, 2 the exact phrase. */
export const searchForm = z
  .object({
    q: z
      .string()
      .trim()
      .refine(
        (v) => v === '' || displayLength(v) >= 3,
        'Search text must be at least 3 characters long.',
      )
      .refine((v) => displayLength(v) <= 255, 'Search text must be less than 255 characters.')
      .default(''),
    title: field('Title'),
    author: field('Author'),
    publisher: field('Publisher'),
    genre: field('Genre'),
    isbn: z
      .string()
      .trim()
      .refine((v) => v === '' || parseIsbn(v) !== null, isbnMessage)
      .default(''),
    by: z.enum(['1', '2']).default('1'),
    /** `describe` takes the text as a description of a book, `auto` only if no name explains it. */
    mode: z.enum(['auto', 'words', 'describe']).default('auto'),
    order: z.enum(['relevance', 'newest']).default('relevance'),
    page: z.coerce.number().int().min(1).max(1000).default(1),
    after: z.string().default(''),
  })
  .refine(
    (form) => form.q || form.title || form.author || form.publisher || form.genre || form.isbn,
    {
      path: ['q'],
      message: 'Search field and advanced filters both cannot be empty.',
    },
  )
export type SearchForm = z.infer<typeof searchForm>
