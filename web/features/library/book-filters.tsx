import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  activeFilters,
  bookSorts,
  filterRanges,
  noFilter,
  readBookFilter,
  writeBookFilter,
  type BookFilter,
  type BookSort,
} from '#shared/book-filter.ts'
import { statuses, statusLabels, type Status } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { RangeSlider } from '#web/ui/range-slider.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** So long nothing else is changed before the list follows; milliseconds. */
const debounce = 1200

const statusOptions = statuses.map((value) => ({ value, label: statusLabels[value] }))
const sortOptions = Object.entries(bookSorts).map(([value, label]) => ({ value, label }))
const texts = [
  ['title', 'Title'],
  ['author', 'Author'],
  ['genre', 'Genre'],
  ['isbn', 'ISBN'],
] as const

interface Draft {
  filter: BookFilter
  /** The address it was begun at, and the one it led to. */
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
  const filter = readBookFilter(search)
  const [draft, setDraft] = useState<Draft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const isFresh = draft !== null && (draft.from === current || draft.to === current)
  const shown = isFresh ? draft.filter : filter

  function apply(next: BookFilter): void {
    clearTimeout(timer.current)
    const to = writeBookFilter(next)
    setDraft({ filter: next, from: current, to: to.toString() })
    if (to.toString() !== current) setSearch(to, { replace: true, preventScrollReset: true })
  }

  function change(part: Partial<BookFilter>): void {
    const next = { ...shown, ...part }
    setDraft({ filter: next, from: current })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => apply(next), debounce)
  }

  return {
    /** What the list shows. */
    filter,
    /** What the panel shows. */
    shown,
    change,
    applyNow: (part: Partial<BookFilter> = {}) => apply({ ...shown, ...part }),
    reset: () => apply({ ...noFilter, sort: shown.sort }),
  }
}

/** Everything a reader's books can be narrowed by. */
export function BookFilters(props: {
  user: string
  state: Omit<ReturnType<typeof useBookFilter>, 'filter'>
}) {
  const { user, state } = props
  const { shown, change, applyNow, reset } = state
  const active = activeFilters(shown)
  return (
    <Disclosure
      className="mb-6 border-t"
      // As the page was asked for; from then on it is the reader's.
      defaultOpen={useState(active > 0)[0]}
      summary={
        <span className="flex items-center gap-2">
          Filters {active > 0 ? <Badge tone="rubric">{active}</Badge> : null}
        </span>
      }
    >
      <form
        className="grid gap-x-6 gap-y-2 text-ink sm:grid-cols-2 lg:grid-cols-4"
        onSubmit={(event) => {
          event.preventDefault()
          applyNow()
        }}
      >
        {texts.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={shown[name]}
            maxLength={255}
            autoComplete="off"
            inputMode={name === 'isbn' ? 'numeric' : undefined}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        ))}
        <SelectField
          label="Status"
          placeholder="Any"
          value={shown.status}
          options={statusOptions}
          onChange={(event) => change({ status: event.currentTarget.value as Status | '' })}
        />
        <SelectField
          label="Sort"
          value={shown.sort}
          options={sortOptions}
          onChange={(event) => applyNow({ sort: event.currentTarget.value as BookSort })}
        />
        <RangeSlider
          label="Progress"
          {...filterRanges.progress}
          format={(value) => `${value}%`}
          value={[...shown.progress]}
          onValueChange={(progress) => change({ progress })}
        />
        <RangeSlider
          label="Rating"
          {...filterRanges.rating}
          value={[...shown.rating]}
          onValueChange={(rating) => change({ rating })}
        />
        <ShelfChips
          user={user}
          chosen={shown.shelves}
          onChange={(shelves) => change({ shelves })}
        />
        <div className="flex justify-end gap-2 sm:col-span-2 lg:col-span-4">
          <Button variant="quiet" icon={<RotateCcw />} disabled={active === 0} onClick={reset}>
            Reset
          </Button>
          {/* Enter does the same; some phones have only this. */}
          <Button type="submit" variant="secondary">
            Apply
          </Button>
        </div>
      </form>
    </Disclosure>
  )
}

function ShelfChips(props: {
  user: string
  chosen: readonly string[]
  onChange: (shelves: string[]) => void
}) {
  const { user, chosen, onChange } = props
  const { data: shelves = [] } = useQuery(shelfNamesQuery(useApi(), user))
  if (shelves.length === 0) return null
  return (
    <fieldset className="min-w-0 pb-3 sm:col-span-2 lg:col-span-4">
      <legend className="pb-1.5 text-sm font-medium">Shelves</legend>
      <div className="flex flex-wrap gap-2">
        {shelves.map(({ id, name }) => {
          const isChosen = chosen.includes(id)
          return (
            <Chip
              key={id}
              pressed={isChosen}
              onPress={() =>
                onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])
              }
            >
              <bdi className="max-w-48 truncate">{name}</bdi>
            </Chip>
          )
        })}
      </div>
    </fieldset>
  )
}
