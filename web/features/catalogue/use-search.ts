import { useNavigate, useSearchParams } from 'react-router'
import { readSearch, writeSearch, type Search } from './search-address.ts'

/** What the address asks for, and how to ask for something else. */
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
