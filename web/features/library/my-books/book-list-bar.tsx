import { useQuery } from '@tanstack/react-query'
import { Tag } from 'lucide-react'
import { activeFilters } from '#shared/book-filter.ts'
import type { Status, StatusCounts } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { statusCountsQuery } from '#web/api/library-lists.ts'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { ChipRow, RowChip } from '#web/ui/chip-row.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { ShelfViewChoice, type ShelfView } from '../shelves/shelf-view.tsx'
import { FilterInputs } from './filter-inputs.tsx'
import { SortSelect } from '../book-list/sort-select.tsx'
import type { BookFilterState } from './use-book-filter.ts'

/** Books in progress come first. */
const chips: readonly Status[] = ['reading', 'completed', 'planning', 'paused', 'dropped']

/**
 * Above a reader's books, always in sight: the tag they are chosen by, their status, order and view,
 * each applied at once. One row at any width; its end is kept for the filters.
 *
 * @param props.countsOf the viewer, if the books are theirs: each status then says how many have it
 */
export function BookListBar(props: {
  state: BookFilterState
  countsOf: string | null
  view: ShelfView
  onViewChange: (view: ShelfView) => void
}) {
  const { state, countsOf, view, onViewChange } = props
  const { status: chosen, sort, tag } = state.shown
  const counts = useStatusCounts(countsOf, state)
  return (
    <div className="flex items-center print:hidden">
      <form className="contents">
        <FilterInputs filter={{ ...state.shown, status: [] }} />
        <ChipRow label={t('status')}>
          {tag ? (
            <RowChip pressed onPress={() => state.applyNow({ tag: '' })}>
              <Tag aria-hidden className="size-3.5" />
              <bdi>{tag}</bdi>
            </RowChip>
          ) : null}
          <RowChip pressed={chosen.length === 0} onPress={() => state.applyNow({ status: [] })}>
            {t('allBooks')}
            {counts ? <Count of={Object.values(counts).reduce((sum, one) => sum + one)} /> : null}
          </RowChip>
          {chips.map((status) => {
            const isChosen = chosen.includes(status)
            const next = isChosen ? chosen.filter((one) => one !== status) : [...chosen, status]
            return (
              <RowChip
                key={status}
                // Without scripts one status at a time.
                name={isChosen ? undefined : 'status'}
                value={status}
                pressed={isChosen}
                onPress={() => state.applyNow({ status: next })}
              >
                <StatusIcon status={status} className="size-3.5!" />
                {statusLabel(status)}
                {counts ? <Count of={counts[status]} /> : null}
              </RowChip>
            )
          })}
        </ChipRow>
      </form>
      <SortSelect value={sort} onValueChange={(next) => state.applyNow({ sort: next })} />
      <ShelfViewChoice view={view} onChange={onViewChange} folds />
    </div>
  )
}

/** @returns nothing while the books are chosen by more than their status */
function useStatusCounts(
  user: string | null,
  { shown }: BookFilterState,
): StatusCounts | undefined {
  const counts = useQuery({ ...statusCountsQuery(useApi(), user ?? ''), enabled: user !== null })
  return activeFilters({ ...shown, status: [] }) === 0 ? counts.data : undefined
}

function Count({ of }: { of: number }) {
  return <span className="font-normal tabular-nums">{formatNumber(of)}</span>
}
