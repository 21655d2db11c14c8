import { Tag } from 'lucide-react'
import type { BookSort } from '#shared/book-filter.ts'
import { statuses } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Chip } from '#web/ui/chip.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { ShelfViewChoice, type ShelfView } from './shelf-view.tsx'
import { sortOptions } from './sort-options.ts'
import type { BookFilterState } from './use-book-filter.ts'

/**
 * Above a reader's books, always in sight: the tag they are chosen by, their status, order and view,
 * each applied at once.
 */
export function BookListBar(props: {
  state: BookFilterState
  view: ShelfView
  onViewChange: (view: ShelfView) => void
}) {
  const { state, view, onViewChange } = props
  const { status: chosen, sort, tag } = state.shown
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <fieldset
        aria-label={t('status')}
        className="-mx-4 flex min-w-0 max-w-[calc(100%+2rem)] gap-2 overflow-x-auto px-4 scrollbar-none md:mx-0 md:flex-wrap md:overflow-visible md:px-0"
      >
        {tag ? (
          <Chip className="shrink-0" pressed onPress={() => state.applyNow({ tag: '' })}>
            <Tag aria-hidden className="size-4" />
            {tag}
          </Chip>
        ) : null}
        {statuses.map((status) => {
          const isChosen = chosen.includes(status)
          const next = isChosen ? chosen.filter((one) => one !== status) : [...chosen, status]
          return (
            <Chip
              key={status}
              className="shrink-0"
              pressed={isChosen}
              onPress={() => state.applyNow({ status: next })}
            >
              <StatusIcon status={status} />
              {statusLabel(status)}
            </Chip>
          )
        })}
      </fieldset>
      <div className="flex items-center gap-2 max-md:w-full">
        <SelectField
          label={t('sort')}
          hideLabel
          className="min-w-0 max-md:flex-1 md:w-44"
          value={sort}
          options={sortOptions()}
          onChange={(event) => state.applyNow({ sort: event.currentTarget.value as BookSort })}
        />
        <ShelfViewChoice view={view} onChange={onViewChange} />
      </div>
    </div>
  )
}
