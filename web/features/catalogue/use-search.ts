import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useNavigate, useSearchParams } from 'react-router'
import { readSearch, writeSearch, type Search } from './search-address.ts'
import { keys } from '#web/api/query-keys.ts'
import { loadCode } from '#web/ui/load-code.ts'

/**
 * The rules of a search weigh more than the rest of Explore: they come with the first text, and
 * what they say about an address comes with its page.
 */
export const loadSearchRules = () => loadCode(() => import('./search-rules.ts'))

/** The kind of a search. */
export function askedQuery(api: PocketBase, search: Search) {
  const question = { ...search, page: 1 }
  return queryOptions({
    queryKey: keys.searchCheck(writeSearch(question)),
    queryFn: async () => {
      const { requestOf, isShortTitle } = await loadSearchRules()
      return requestOf(question, !search.advancedOnly && (await isShortTitle(api, search.q)))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The search in the address, and a function to change it. */
export function useSearch(): {
  search: Search
  /** A change begins at the first page unless it names one. */
  change: (edit: Partial<Search>, options?: { replace?: boolean }) => void
} {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const search = readSearch(params)
  return {
    search,
    change: (edit, options) => {
      const query = writeSearch({ ...search, page: 1, ...edit })
      if (query === writeSearch(search)) return
      void navigate({ search: query }, { preventScrollReset: true, ...options })
    },
  }
}
