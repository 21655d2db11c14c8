import { Search as SearchIcon, X } from 'lucide-react'
import {
  useCallback,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'
import { displayWidth } from '#shared/text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isComposing } from '#web/ui/is-composing.ts'
import { KeyboardKey } from '#web/ui/keyboard-key.tsx'
import { loadCode } from '#web/ui/load-code.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { t } from '#web/i18n/catalogue.ts'
import type { ListState, SuggestionKeys } from './search-suggestions.tsx'
import { useSearchText } from './use-search-text.ts'
import { useSearch } from './use-search.ts'

/** Text search: as one types, at once on Enter, with a list of what may be meant below it. */
export function SearchBox() {
  const { search, change } = useSearch()
  const { text, type, submit, searchTitles, stop, clear, error } = useSearchText()
  const input = useRef<HTMLInputElement>(null)
  const list = useSuggestions()
  const isOff = search.advancedOnly
  const shown = isOff ? '' : text
  useTypedEarly(input, 'value', shown, (typed) => {
    list.open()
    void type(typed)
  })

  return (
    <search id="search" className="min-w-0 flex-1">
      <form
        action="/explore"
        noValidate
        className="relative"
        onSubmit={(event) => {
          event.preventDefault()
          list.close()
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
          label={t('searchTheCatalogue')}
          hideLabel
          placeholder={t('titleAuthorOrIsbn')}
          icon={<SearchIcon />}
          error={error}
          hint={isOff ? t('theSearchBoxIsIgnored') : undefined}
          disabled={isOff}
          value={shown}
          {...list.field}
          onChange={({ target, nativeEvent }) => {
            list.open()
            // Letters that are not chosen yet (Japanese, Chinese, Korean) search for nothing.
            void type(target.value, (nativeEvent as InputEvent).isComposing)
          }}
          onCompositionEnd={({ currentTarget }) => void type(currentTarget.value)}
          trailing={
            shown ? (
              <IconButton
                label={t('clearTheSearch')}
                onClick={() => {
                  clear()
                  input.current?.focus()
                }}
              >
                <X aria-hidden />
              </IconButton>
            ) : (
              <span aria-hidden className="me-3 pointer-coarse:hidden">
                <KeyboardKey>/</KeyboardKey>
              </span>
            )
          }
        />
        {list.Suggestions && !isOff ? (
          <list.Suggestions {...list.state} text={text} onChoose={stop} />
        ) : null}
      </form>
      {error !== undefined && displayWidth(text.trim()) === 2 ? (
        <Button size="sm" className="mt-2" onClick={searchTitles}>
          {t('searchTitlesFor', { text: text.trim() })}
        </Button>
      ) : null}
      {isOff && search.q ? (
        <Button
          size="sm"
          className="mt-2 text-start wrap-anywhere whitespace-normal!"
          onClick={() => change({ advancedOnly: false })}
        >
          {t('searchAsWell', { text: search.q })}
        </Button>
      ) : null}
    </search>
  )
}

const loadSuggestions = () =>
  loadCode(async () => (await import('./search-suggestions.tsx')).SearchSuggestions)
type Suggestions = Awaited<ReturnType<typeof loadSuggestions>>

const hidden: ListState = { isShown: false, active: undefined }

/** The list below the field. Its code loads on first focus; without it there is no list. */
function useSuggestions() {
  const id = useId()
  const keys = useRef<SuggestionKeys>(null)
  const [Suggestions, setSuggestions] = useState<Suggestions>()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(hidden)
  const close = useCallback(() => {
    setOpen(false)
    setShown(hidden)
  }, [])

  const prepare = () =>
    void loadSuggestions().then(
      (loaded) => setSuggestions(() => loaded),
      () => undefined,
    )

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // A key may belong to the letters being composed.
    if (isComposing(event)) return
    if (!isOpen && event.key === 'ArrowDown') setOpen(true)
    else if (!keys.current?.press(event)) return
    event.preventDefault()
  }

  return {
    Suggestions: isOpen ? Suggestions : undefined,
    state: { id, keys, onState: setShown, onClose: close },
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': shown.isShown,
      'aria-controls': shown.isShown ? id : undefined,
      'aria-activedescendant': shown.active,
      onKeyDown,
      onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
        prepare()
        // The current text has already been searched.
        if (currentTarget.value === '') setOpen(true)
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
        if (!currentTarget.form?.contains(relatedTarget)) close()
      },
    } satisfies ComponentProps<'input'>,
    open: () => {
      prepare()
      setOpen(true)
    },
    close,
  }
}
