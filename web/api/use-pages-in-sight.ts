import { hashKey, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { useEffect, useRef, type RefObject } from 'react'
import { showPages, type Page } from './pages-in-sight.ts'

interface ListQuery<T> {
  data: InfiniteData<Page<T>> | undefined
  isError: boolean
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>
}

/**
 * Keeps the pages in sight of a list fresh; see {@link pageByPage}.
 *
 * @param idsOf the records of a page, which are list items in this order; one that an earlier page has
 *   isn't shown again
 * @returns for the element around the list
 */
export function usePagesInSight<T extends object>(
  queryKey: QueryKey,
  { data, isError, refetch }: ListQuery<T>,
  idsOf: (page: T) => readonly string[],
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const now = useRef({ pages: data?.pages ?? [], isError, refetch, idsOf })
  const hash = hashKey(queryKey)
  const look = useRef<() => void>(undefined)
  useEffect(() => {
    now.current = { pages: data?.pages ?? [], isError, refetch, idsOf }
    look.current?.()
  })
  useEffect(() => {
    const isInSight = (page: number) => {
      const { pages, idsOf: ids } = now.current
      return isBetween(root.current, startsOf(pages.map(ids)), page)
    }
    const { catchUp, hide } = showPages(JSON.parse(hash) as QueryKey, isInSight, () =>
      now.current.refetch({ cancelRefetch: false }),
    )
    const check = () => {
      // A refused list is retried by `liveFetch`, which waits as long as the server says.
      if (!now.current.isError) catchUp(now.current.pages)
    }
    look.current = check
    check()
    // Lists in dialogs scroll by themselves.
    const options = { passive: true, capture: true }
    window.addEventListener('scroll', check, options)
    return () => {
      window.removeEventListener('scroll', check, options)
      hide()
    }
  }, [hash])
  return root
}

/** @returns the place of each page's first item among all, each id counted once */
function startsOf(pages: readonly (readonly string[])[]): number[] {
  const seen = new Set<string>()
  return pages.map((ids) => {
    const start = seen.size
    for (const id of ids) seen.add(id)
    return start
  })
}

/** Whether a page's items are in the window, or less than half its height from it. */
function isBetween(root: Element | null, starts: readonly number[], page: number): boolean {
  const items = root?.querySelectorAll('li:not(li li)') ?? []
  const first = items[starts[page] ?? 0]
  const last = items[Math.min(starts[page + 1] ?? items.length, items.length) - 1]
  // Items that aren't in the page yet may be in sight.
  if (!first || !last) return true
  const margin = window.innerHeight / 2
  const { top } = first.getBoundingClientRect()
  const { bottom } = last.getBoundingClientRect()
  return bottom > -margin && top < window.innerHeight + margin
}
