import { Search as SearchIcon, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { searchForm } from '#shared/book.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { hasFilters } from './search-address.ts'
import { useSearch } from './use-search.ts'

/** Time after the last letter before results are fetched, in milliseconds. */
const pause = 500

/** Text search: as one types, at once on Enter. `/` leads here from anywhere on the page. */
export function SearchBox() {
  const { search, change } = useSearch()
  const { text, type, submit, clear, error } = useSearchText()
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  const isOff = search.advancedOnly

  return (
    <search className="min-w-0 flex-1">
      <form
        action="/explore"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
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
          onChange={(event) => type(event.target.value)}
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
              <kbd
                aria-hidden
                className="me-3 rounded-cover border border-line px-1.5 font-sans text-xs text-ink-faint pointer-coarse:hidden"
              >
                /
              </kbd>
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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  // The address changed by other means: back, forward, a link.
  useEffect(() => {
    if (search.q === sent.current) return
    sent.current = search.q
    setText(search.q)
    setError(undefined)
  }, [search.q])

  function ask(q: string, isLive: boolean): void {
    clearTimeout(timer.current)
    sent.current = q
    // One step back leads out of the search, not through every letter of it.
    change({ q }, { replace: isLive && search.q !== '' })
  }

  return {
    text,
    error,
    type: (next: string) => {
      setText(next)
      clearTimeout(timer.current)
      const q = next.trim()
      if (q && !searchForm.shape.q.safeParse(q).success) return
      setError(undefined)
      timer.current = setTimeout(() => ask(q, true), q ? pause : 0)
    },
    submit: () => {
      const q = text.trim()
      const wrong = wrongText(q, hasFilters(search.filters))
      setError(wrong)
      if (!wrong) ask(q, false)
    },
    clear: () => {
      setText('')
      setError(undefined)
      ask('', false)
    },
  }
}

function wrongText(q: string, isFiltered: boolean): string | undefined {
  const { error } = isFiltered ? searchForm.shape.q.safeParse(q) : searchForm.safeParse({ q })
  return error?.issues[0]?.message
}

/** `/` puts the cursor into the field, unless something is being typed elsewhere. */
function useSlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof HTMLElement && target.closest('input,textarea,select,[role=dialog]'))
        return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [input])
}
