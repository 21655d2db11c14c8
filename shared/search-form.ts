import * as z from 'zod'
import { oneOf, optionalIsbn, optionalSearchText } from './form-fields.ts'

const field = (name: string) => optionalSearchText(name, 2)

/** What Explore may ask for. `by` 1 is relevance on all words, 2 the exact phrase. */
export const searchForm = z
  .object({
    q: optionalSearchText('Search text', 3),
    title: field('Title'),
    author: field('Author'),
    publisher: field('Publisher'),
    genre: field('Genre'),
    isbn: optionalIsbn,
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
  .meta(oneOf('q', 'title', 'author', 'publisher', 'genre', 'isbn'))
export type SearchForm = z.infer<typeof searchForm>
