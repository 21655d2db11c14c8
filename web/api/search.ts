import { infiniteQueryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { SearchForm, SearchResult } from '#shared/book.ts'
import { fetchData } from './fetch-data.ts'
import { pageByPage } from './pages-in-sight.ts'
import { keys } from './query-keys.ts'

/** @returns one page of a search */
export function sendSearch(
  api: PocketBase,
  form: Partial<SearchForm> & { answers?: 'known'; short_text?: 'none' },
  signal: AbortSignal | null = null,
): Promise<SearchResult> {
  const query = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
  return fetchData(api, '/api/v1/book-info/search', { query, signal })
}

/**
 * Search results, page by page. `form.page` is where it starts. The first page is what is known
 * here, at once; `externalQuery` asks for the rest.
 */
export function searchQuery(api: PocketBase, form: SearchForm) {
  return infiniteQueryOptions({
    queryKey: keys.search({ ...form, page: 1, after: '' }),
    queryFn: pageByPage<SearchResult>(({ pageParam, signal }) => {
      const answers = pageParam === 1 ? { answers: 'known' as const } : {}
      return sendSearch(api, { ...form, page: pageParam, ...answers }, signal)
    }),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (last.hasMoreResults ? page + 1 : undefined),
  })
}
