import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { BookFilters } from './book-filters.tsx'
import { BookListBar } from './book-list-bar.tsx'
import type { ShelfView } from '../shelves/shelf-view.tsx'
import { useBookFilter } from './use-book-filter.ts'

/**
 * What a reader's books are chosen and ordered by. What is pressed or typed here draws only this
 * anew: the list follows the address.
 */
export function BookFilterControls(props: {
  user: string
  isOwner: boolean
  view: ShelfView
  onViewChange: (view: ShelfView) => void
}) {
  const { user, isOwner, view, onViewChange } = props
  const state = useBookFilter()
  return (
    <div className="relative mb-3 [--filters:--spacing(11)] md:mb-4 md:[--filters:--spacing(32)]">
      <div className="pe-(--filters)">
        <BookListBar
          state={state}
          countsOf={isOwner ? user : null}
          view={view}
          onViewChange={onViewChange}
        />
      </div>
      <BookFilters user={user} state={state} />
    </div>
  )
}

export function ResetFilters() {
  const { reset } = useBookFilter()
  return (
    <Button size="sm" onClick={reset}>
      {t('resetFilters')}
    </Button>
  )
}
