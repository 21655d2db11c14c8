import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { loadCode } from '#web/ui/load-code.ts'
import { activeFilters } from '#shared/book-filter.ts'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { BookFilterState } from './use-book-filter.ts'

const fetchFields = () => import('./book-filter-fields.tsx')
const BookFilterFields = lazy(fetchFields)
/** Drawn by the server alone. */
const PlainFilters = lazy(() => import('./plain-filters.tsx'))

/**
 * The filters of a reader's books, folded up into the end of the row above, which keeps the room;
 * how many are in force is seen all the same.
 */
export function BookFilters(props: { user: string; state: BookFilterState }) {
  const active = activeFilters(props.state.shown)
  const [wanted, setWanted] = useState(false)
  const fold = useRef<HTMLDetailsElement>(null)
  // It may have been opened before the page was hydrated.
  useEffect(() => setWanted(fold.current?.open ?? false), [])
  return (
    <details
      ref={fold}
      className="open:mb-3 open:border-b open:border-line print:hidden"
      onToggle={(event) => (event.currentTarget.open ? setWanted(true) : undefined)}
    >
      <summary
        title={t('filters')}
        className="bar-control absolute end-0 top-0 w-(--filters) list-none transition-colors in-open:bg-sunken in-open:text-ink [&::-webkit-details-marker]:hidden"
        onPointerEnter={() => void loadCode(fetchFields).catch(() => undefined)}
      >
        <SlidersHorizontal aria-hidden className="size-5 shrink-0" />
        <span className="truncate max-md:sr-only">{t('filters')}</span>
        {active > 0 ? (
          <span className="max-md:absolute max-md:end-0 max-md:top-0">
            <Badge tone="rubric">{formatNumber(active)}</Badge>
          </span>
        ) : null}
      </summary>
      <div className="pt-2 pb-5 text-ink-soft">
        {wanted ? (
          <Suspense fallback={<Spinner />}>
            <BookFilterFields {...props} />
          </Suspense>
        ) : (
          <noscript>
            <Suspense>
              <PlainFilters filter={props.state.shown} />
            </Suspense>
          </noscript>
        )}
      </div>
    </details>
  )
}
