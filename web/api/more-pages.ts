import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { errorMessage } from './errors.ts'

/** @returns what a list needs to fetch its next page: whether there is one, and what went wrong */
export function morePages(
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'isFetchNextPageError' | 'error'
  >,
) {
  return {
    hasMore: query.hasNextPage,
    loading: query.isFetchingNextPage,
    onMore: () => void query.fetchNextPage(),
    error: query.isFetchNextPageError ? errorMessage(query.error) : undefined,
  }
}
