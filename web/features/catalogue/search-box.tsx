import { Search as SearchIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Key } from '#web/ui/key.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { hasFilters } from './search-address.ts'
import { loadSearchRules, useSearch } from './use-search.ts'

/** Time after the last letter before results are fetched, in milliseconds. */
const pause = 500

/** Text search: as one types, at once on Enter. */
export function SearchBox() {
  const { search, change } = useSearch()
  const { text, type, submit, clear, error } = useSearchText()
  const input = useRef<HTMLInputElement>(null)
  const isOff = search.advancedOnly

  return (
    <search className="min-w-0 flex-1">
      <form
        action="/explore"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          ref={input}
          name="q"
          type="search"
          className="[&_input::-webkit-search-cancel-button]:hidden"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-keyshortcuts="/"
          label="Search the catalogue"
          hideLabel
          placeholder="Title, author or ISBN"
          icon={<SearchIcon />}
          error={error}
          hint={isOff ? 'Only the advanced filters are used.' : undefined}
          disabled={isOff}
          value={isOff ? '' : text}
          onChange={(event) => void type(event.target.value)}
          trailing={
            text && !isOff ? (
              <IconButton
                label="Clear the search"
                onClick={() => {
                  clear()
                  input.current?.focus()
                }}
              >
                <X aria-hidden />
              </IconButton>
            ) : (
              <span aria-hidden className="me-3 pointer-coarse:hidden">
                <Key>/</Key>
              </span>
            )
          }
        />
      </form>
      {isOff && search.q ? (
        <Button size="sm" className="mt-2" onClick={() => change({ advancedOnly: false })}>
          Search for “{search.q}” as well
        </Button>
      ) : null}
    </search>
  )
}

/** The text being typed and the search that follows it. */
function useSearchText() {
  const { search, change } = useSearch()
  const [text, setText] = useState(search.q)
  const [error, setError] = useState<string>()
  const sent = useRef(search.q)
  const { begin, later } = useLatest()

  // The address changed by other means: back, forward, a link.
  useEffect(() => {
    if (search.q === sent.current) return
    sent.current = search.q
    setText(search.q)
    setError(undefined)
  }, [search.q])

  function ask(q: string, isLive: boolean): void {
    sent.current = q
    // One step back leads out of the search, not through every letter of it.
    change({ q }, { replace: isLive && search.q !== '' })
  }

  return {
    text,
    error,
    type: async (next: string) => {
      const isLatest = begin()
      setText(next)
      const q = next.trim()
      if ((q && (await wrongText(q, true))) || !isLatest()) return
      setError(undefined)
      later(() => ask(q, true), q ? pause : 0)
    },
    submit: async () => {
      const isLatest = begin()
      const q = text.trim()
      const wrong = await wrongText(q, hasFilters(search.filters))
      if (!isLatest()) return
      setError(wrong)
      if (!wrong) ask(q, false)
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

/** Without its rules a text is sent as it is: the server has them too. */
async function wrongText(q: string, isFiltered: boolean): Promise<string | undefined> {
  try {
    return (await loadSearchRules()).wrongText(q, isFiltered)
  } catch {
    return undefined
  }
}
