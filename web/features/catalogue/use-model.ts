import { useQuery } from '@tanstack/react-query'
import type { Book, ModelBooks, SearchForm, SearchResult } from '#shared/book.ts'
import { describedQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'

/**
 * Asks the language model, where there is one, once the books found by words are on the screen.
 *
 * @returns undefined while it is asked, null when it did not answer or is not there
 */
export function useModel(
  form: SearchForm,
  first: SearchResult | undefined,
): ModelBooks | null | undefined {
  const enabled = first?.model !== undefined
  const query = useQuery({ ...describedQuery(useApi(), form.q), enabled })
  return !enabled || query.isError ? null : query.data
}

/** The model's books before those that follow; the others are there already. */
export function withModel(books: Book[], model: ModelBooks | null | undefined): Book[] {
  return [...(model?.books ?? []), ...books]
}
