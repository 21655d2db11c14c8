import * as z from 'zod'
import { optionalIsbn, queryNumber, requireOneOf, searchText, trimmedText } from './form-fields.ts'
import { refusal } from './rule.ts'

const field = searchText(2, true).default('')

/** A search in Explore. `by` 1 searches all words by relevance, 2 the exact phrase. */
export const searchForm = z
  .object({
    q: searchText(3, true).default(''),
    title: field,
    author: field,
    publisher: field,
    genre: field,
    isbn: optionalIsbn,
    by: z.enum(['1', '2']).default('1'),
    /** `describe` takes the text as a description of a book, `auto` only if no name explains it. */
    mode: z.enum(['auto', 'words', 'describe']).default('auto'),
    order: z.enum(['relevance', 'newest']).default('relevance'),
    page: queryNumber(1000).default(1),
    after: z.string().default(''),
  })
  .refine(
    (form) => form.q || form.title || form.author || form.publisher || form.genre || form.isbn,
    {
      path: ['q'],
      ...refusal('nothingSearched'),
    },
  )
  .meta(requireOneOf('q', 'title', 'author', 'publisher', 'genre', 'isbn'))
export type SearchForm = z.infer<typeof searchForm>

/** The same, but also accepts short texts, which may be the whole title of a book. */
export const searchOrTitleForm = searchForm.safeExtend({
  q: trimmedText(255, 'charactersBelow')
    .meta({
      description:
        'At least 3 characters, or one of Chinese, Japanese or Korean, unless it is the whole title of a book',
    })
    .default(''),
})

/** @returns whether a text is too short for a full search */
export function isShortText(q: string): boolean {
  return q !== '' && q.length <= 255 && !searchForm.shape.q.safeParse(q).success
}
