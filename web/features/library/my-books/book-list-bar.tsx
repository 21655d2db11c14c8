import { Tag } from 'lucide-react'
import type { Status } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { ChipRow, RowChip } from '#web/ui/chip-row.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { ShelfViewChoice, type ShelfView } from '../shelves/shelf-view.tsx'
import { SortSelect } from '../book-list/sort-select.tsx'
import type { BookFilterState } from './use-book-filter.ts'

/** What is under way comes first. */
const chips: readonly Status[] = ['reading', 'completed', 'planning', 'paused', 'dropped']

/**
 * Above a reader's books, always in sight: the tag they are chosen by, their status, order and view,
 * each applied at once. One row at any width; its end is kept for the filters.
 */
export function BookListBar(props: {
  state: BookFilterState
  view: ShelfView
  onViewChange: (view: ShelfView) => void
}) {
  const { state, view, onViewChange } = props
  const { status: chosen, sort, tag } = state.shown
  return (
    <div className="flex items-center print:hidden">
      <ChipRow label={t('status')}>
        {tag ? (
          <RowChip pressed onPress={() => state.applyNow({ tag: '' })}>
            <Tag aria-hidden className="size-3.5" />
            <bdi>{tag}</bdi>
          </RowChip>
        ) : null}
        <RowChip pressed={chosen.length === 0} onPress={() => state.applyNow({ status: [] })}>
          {t('allBooks')}
        </RowChip>
        {chips.map((status) => {
          const isChosen = chosen.includes(status)
          const next = isChosen ? chosen.filter((one) => one !== status) : [...chosen, status]
          return (
            <RowChip
              key={status}
              pressed={isChosen}
              onPress={() => state.applyNow({ status: next })}
            >
              <StatusIcon status={status} className="size-3.5!" />
              {statusLabel(status)}
            </RowChip>
          )
        })}
      </ChipRow>
      <SortSelect value={sort} onValueChange={(next) => state.applyNow({ sort: next })} />
      <ShelfViewChoice view={view} onChange={onViewChange} folds />
    </div>
  )
}
