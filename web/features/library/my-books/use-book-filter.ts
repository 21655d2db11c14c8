import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  noFilter,
  parseBookFilter,
  formatBookFilter,
  type BookFilter,
} from '#shared/book-filter.ts'
import { useDebouncedCall } from '#web/ui/debounced-call.ts'

/** So long nothing else is changed before the list follows; milliseconds. */
const debounce = 1200

interface Draft {
  filter: BookFilter
  /** The address when typing began, and the one it led to. */
  from: string
  to?: string
}

/**
 * The filter of the address, and a draft of the next one: what is typed is shown at once, and goes
 * into the address when the hand rests. An address that changes otherwise puts an end to it.
 */
export function useBookFilter() {
  const [search, setSearch] = useSearchParams()
  const current = search.toString()
  const filter = parseBookFilter(search)
  const [draft, setDraft] = useState<Draft | null>(null)
  const { schedule, cancel } = useDebouncedCall(debounce)
  const isFresh = draft !== null && (draft.from === current || draft.to === current)
  const shown = isFresh ? draft.filter : filter
  useEffect(() => {
    if (!isFresh) cancel()
  })

  function apply(next: BookFilter): void {
    cancel()
    const to = formatBookFilter(next)
    setDraft({ filter: next, from: current, to: to.toString() })
    if (to.toString() !== current) setSearch(to, { replace: true, preventScrollReset: true })
  }

  function change(part: Partial<BookFilter>): void {
    const next = { ...shown, ...part }
    // An address that is still on its way must not end what is typed meanwhile.
    setDraft({
      filter: next,
      from: current,
      ...(isFresh && draft.to !== undefined && { to: draft.to }),
    })
    schedule(() => apply(next))
  }

  return {
    /** The values in the panel. The list follows the address. */
    shown,
    change,
    applyNow: (part: Partial<BookFilter> = {}) => apply({ ...shown, ...part }),
    reset: () => apply({ ...noFilter, sort: shown.sort }),
  }
}

export type BookFilterState = ReturnType<typeof useBookFilter>
