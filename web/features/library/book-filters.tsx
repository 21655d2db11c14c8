import { Suspense, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { loadCode } from '#web/ui/load-code.ts'
import { activeFilters } from '#shared/book-filter.ts'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { BookFilterState } from './use-book-filter.ts'

const fetchFields = () => import('./book-filter-fields.tsx')
const BookFilterFields = lazy(fetchFields)

/** The filters of a reader's books, folded up; how many are in force is seen all the same. */
export function BookFilters(props: { user: string; state: BookFilterState }) {
  const active = activeFilters(props.state.shown)
  const [wanted, setWanted] = useState(false)
  return (
    <Disclosure
      className="mb-3 border-t border-b-0"
      onToggle={(open) => (open ? setWanted(true) : undefined)}
      summary={
        <span
          className="flex items-center gap-2"
          onPointerEnter={() => void loadCode(fetchFields).catch(() => undefined)}
        >
          {t('filters')} {active > 0 ? <Badge tone="rubric">{formatNumber(active)}</Badge> : null}
        </span>
      }
    >
      {wanted ? (
        <Suspense fallback={<Spinner />}>
          <BookFilterFields {...props} />
        </Suspense>
      ) : null}
    </Disclosure>
  )
}
