import type PocketBase from 'pocketbase'
import { useEffect, useRef, useState } from 'react'
import { useNavigation } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { saveSearch } from '#web/api/recent-searches.ts'
import { useSession } from '#web/api/session.ts'
import { hasFilters } from './search-address.ts'
import { loadSearchRules, useSearch } from './use-search.ts'

/** Time after the last letter before results are fetched, in milliseconds. */
const debounce = 500

/** The text being typed and the search that follows it. */
export function useSearchText() {
  const { search, change } = useSearch()
  const [text, setText] = useState(search.q)
  const [error, setError] = useState<string>()
  const sent = useRef(search.q)
  const user = useSession()?.user.id ?? ''
  const { begin, later } = useLatest()
  const api = useApi()

  // The address changed by other means: back, forward, a link.
  useEffect(() => {
    if (search.q === sent.current) return
    sent.current = search.q
    setText(search.q)
    setError(undefined)
  }, [search.q])

  // Letters typed before must not undo a navigation.
  const next = useNavigation().location?.pathname
  const isLeaving = useRef(false)
  useEffect(() => {
    isLeaving.current = next !== undefined && next !== '/explore'
  }, [next])

  function ask(q: string, isLive: boolean): void {
    if (isLeaving.current) return
    sent.current = q
    // One step back leads out of the search, not through every letter of it.
    change({ q }, { replace: isLive && search.q !== '' })
  }

  return {
    text,
    error,
    /** @param isUnfinished letters that may still become others are shown, not searched for */
    type: async (next: string, isUnfinished = false) => {
      const isLatest = begin()
      setText(next)
      if (isUnfinished) return
      const q = next.trim()
      if ((q && (await wrongText(q, true))) || !isLatest()) return
      setError(undefined)
      later(() => ask(q, true), q ? debounce : 0)
    },
    submit: async () => {
      const isLatest = begin()
      const q = text.trim()
      const isTitle = await isShortTitle(api, q)
      const wrong = isTitle ? undefined : await wrongText(q, hasFilters(search.filters))
      if (!isLatest()) return
      setError(wrong)
      if (wrong) return
      if (q) saveSearch(user, q)
      ask(q, false)
    },
    /** Texts too short for a full search are searched among titles. */
    searchTitles: () => {
      begin()
      setText('')
      setError(undefined)
      sent.current = ''
      change({ q: '', filters: { ...search.filters, title: text.trim() } })
    },
    /** Drops the pending search, as the reader navigates away. */
    stop: () => {
      begin()
    },
    clear: () => {
      begin()
      setText('')
      setError(undefined)
      ask('', false)
    },
  }
}

/** Whatever the last letter or key began makes what came before it moot. */
function useLatest() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turn = useRef(0)
  const begin = () => {
    clearTimeout(timer.current)
    const mine = ++turn.current
    return () => turn.current === mine
  }
  const later = (work: () => void, milliseconds: number) => {
    timer.current = setTimeout(work, milliseconds)
  }
  useEffect(
    () => () => {
      turn.current += 1
      clearTimeout(timer.current)
    },
    [],
  )
  return { begin, later }
}

/** Without an answer a short text is no title. */
async function isShortTitle(api: PocketBase, q: string): Promise<boolean> {
  try {
    return await (await loadSearchRules()).isShortTitle(api, q)
  } catch {
    return false
  }
}

/** Without its rules a text is sent as it is: the server has them too. */
async function wrongText(q: string, isFiltered: boolean): Promise<string | undefined> {
  try {
    return (await loadSearchRules()).textProblem(q, isFiltered)
  } catch {
    return undefined
  }
}
