import { useQuery } from '@tanstack/react-query'
import { useEffect, useImperativeHandle, useState, type KeyboardEvent, type Ref } from 'react'
import { minSuggestLength } from '#shared/suggestion.ts'
import { displayWidth } from '#shared/text.ts'
import { useApi } from '#web/api/context.ts'
import { clearSearches, saveSearch, recentSearches } from '#web/api/recent-searches.ts'
import { useSession } from '#web/api/session.ts'
import { suggestQuery } from '#web/api/suggestions.ts'
import { Button } from '#web/ui/button.tsx'
import { useDebouncedText } from '#web/ui/debounced-text.ts'
import { t } from '#web/i18n/catalogue.ts'
import { t as tWorks } from '#web/i18n/works.ts'
import {
  catalogueRows,
  namedRows,
  ownRows,
  recentRows,
  SuggestionRow,
  type RowGroup,
} from './suggestion-rows.tsx'

/** Time after the last letter before the server is asked, in milliseconds. */
const debounce = 150

/** The field's ARIA attributes for the list below it. */
export interface ListState {
  isShown: boolean
  /** Id of the line that Enter would choose. */
  active: string | undefined
}

export interface SuggestionKeys {
  /** @returns whether the key was meant for the list */
  press(event: KeyboardEvent<HTMLInputElement>): boolean
}

/** The list under the search field: own books, the catalogue's, or what was searched before. */
export function SearchSuggestions(props: {
  id: string
  text: string
  keys: Ref<SuggestionKeys>
  onState: (state: ListState) => void
  /** Called when a suggestion was chosen and its link is being followed. */
  onChoose: () => void
  onClose: () => void
}) {
  const { id, text, keys, onState, onChoose, onClose } = props
  const { groups, count, isRecent, forget } = useGroups(text)
  const rows = groups.flatMap((group) => group.rows)
  const [chosen, setChosen] = useState<string>()
  const place = rows.findIndex(({ key }) => key === chosen)
  const isShown = rows.length > 0
  const active = place < 0 ? undefined : `${id}-${place}`
  const user = useSession()?.user.id ?? ''

  useEffect(() => onState({ isShown, active }), [onState, isShown, active])
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  useImperativeHandle(keys, () => ({
    press(event) {
      if (!isShown) return false
      const to = (next: number) => setChosen(rows[next]?.key)
      // Above the first and below the last is the text as it was typed.
      if (event.key === 'ArrowDown') to(place + 1)
      else if (event.key === 'ArrowUp') to(place < 0 ? rows.length - 1 : place - 1)
      else if (event.key === 'Escape') onClose()
      else if (event.key === 'Enter' && active) document.getElementById(active)?.click()
      else return false
      return true
    },
  }))

  function choose(): void {
    if (text.trim()) saveSearch(user, text.trim())
    onChoose()
    onClose()
  }

  return (
    <>
      <output className="sr-only">{isShown ? count : ''}</output>
      {isShown ? (
        <div
          className="absolute inset-x-0 top-full z-30 mt-1 max-h-[min(65dvh,34rem)] overflow-y-auto overscroll-contain rounded-md border border-line bg-raised p-1.5 text-ink shadow-lift max-md:end-auto max-md:w-[calc(100vw-2rem)]"
          ref={keepFocus}
        >
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> has no pictures */}
          <div id={id} role="listbox" aria-label={t('suggestions')}>
            {groups.map((group, g) => (
              <fieldset key={group.name} aria-labelledby={`${id}-group-${g}`}>
                <p
                  id={`${id}-group-${g}`}
                  className="px-2 pt-1.5 pb-1 text-xs font-medium text-ink-soft"
                >
                  {group.name}
                </p>
                {group.rows.map((row) => (
                  <SuggestionRow
                    key={row.key}
                    row={row}
                    id={`${id}-${rows.indexOf(row)}`}
                    isActive={row.key === chosen}
                    onChoose={choose}
                  />
                ))}
              </fieldset>
            ))}
          </div>
          {isRecent ? (
            <Button
              size="sm"
              variant="quiet"
              onClick={forget}
              onBlur={({ currentTarget, relatedTarget }) => {
                if (!currentTarget.form?.contains(relatedTarget)) onClose()
              }}
            >
              {t('clearRecentSearches')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

/** Keep the focus in the field when the list is pressed, so that typing can continue. */
function keepFocus(list: HTMLElement | null): void {
  list?.addEventListener('mousedown', (event) => event.preventDefault())
}

function useGroups(text: string) {
  const session = useSession()
  const user = session?.user.id ?? ''
  const asked = useDebouncedText(text, debounce)
  const { data } = useQuery(suggestQuery(useApi(), user, asked))
  const [recent, setRecent] = useState(() => recentSearches(user))
  const isRecent = text.trim() === ''
  const isShort = displayWidth(text.trim()) < minSuggestLength
  const { own = [], books = [], series = [], authors = [] } = (isShort ? undefined : data) ?? {}
  const all: RowGroup[] = isRecent
    ? [{ name: t('recentSearches'), rows: recentRows(recent) }]
    : [
        { name: t('myBooks'), rows: ownRows(own, session?.user.username ?? '') },
        { name: tWorks('seriesAndAuthors'), rows: namedRows({ series, authors }) },
        { name: t('catalogue'), rows: catalogueRows(books) },
      ]
  const groups = all.filter(({ rows }) => rows.length > 0)
  const found = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  return {
    groups,
    count: t('suggestionCount', { count: found }),
    isRecent,
    forget: () => {
      clearSearches()
      setRecent([])
    },
  }
}
