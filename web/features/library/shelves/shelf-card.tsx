import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { CoverPlaceholder } from '#web/ui/cover-placeholder.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SelectBox, type Selection } from '../bulk-edit/selection.tsx'

const shown = 4

const cardClass =
  'relative grid min-w-0 grid-cols-1 content-start gap-3 rounded-md border border-line p-4'
/** Four covers and the number of the others; the height is a cover's, also without any. */
const boardClass =
  'grid grid-cols-5 items-end gap-2 border-b-4 border-line before:col-start-1 before:row-start-1 before:aspect-2/3'

/** A shelf as its newest covers, with its name and how many books stand on it. */
export function ShelfCard(props: {
  shelf: Bookshelf
  /** While shelves are being selected: a tick in the corner, and the whole card its target. */
  selection?: Selection<Bookshelf> | undefined
}) {
  const { shelf, selection } = props
  const latest = shelf.latest.slice(0, shown)
  const more = shelf.book_count - latest.length
  return (
    <li
      data-place={shelf.id}
      className={`${cardClass} bg-surface transition-colors hover:border-line-strong has-focus-visible:border-line-strong`}
    >
      {selection ? (
        <div className="col-start-1 row-start-1 z-10 justify-self-end -m-3">
          <SelectBox
            name={shelf.name}
            checked={selection.has(shelf.id)}
            onChange={() => selection.toggle(shelf)}
          />
        </div>
      ) : null}
      <div aria-hidden className={`${boardClass} col-start-1 row-start-1`}>
        {latest.map(({ title, author, cover }, place) => (
          <span key={place} className={place === 0 ? 'col-start-1 row-start-1' : undefined}>
            <Cover title={title} author={author} src={cover} alt="" />
          </span>
        ))}
        {latest.length === 0
          ? Array.from({ length: shown }, (_, place) => (
              <CoverPlaceholder
                key={place}
                className={place === 0 ? 'col-start-1 row-start-1' : ''}
              />
            ))
          : null}
        {more > 0 ? (
          <span className="self-center text-center font-serif text-lg text-ink-soft tabular-nums">
            {formatNumber(more, { signDisplay: 'always' })}
          </span>
        ) : null}
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <h2 dir="auto" className="text-match-parent min-w-0 text-lg wrap-anywhere">
          <Link
            to={`/shelf/${shelf.id}`}
            prefetch="intent"
            className="after:absolute after:inset-0 after:rounded-md"
          >
            {shelf.name}
          </Link>
        </h2>
        <span className="shrink-0 text-sm text-ink-soft tabular-nums">
          {shelf.visibility === 'private' ? (
            <>
              <Lock aria-hidden className="me-2 inline size-4 align-[-0.15em]" />
              <span className="sr-only">{t('privateAnd')}</span>
            </>
          ) : null}
          {t('bookCount', { count: shelf.book_count })}
        </span>
      </div>
    </li>
  )
}

export function ShelfCardSkeleton() {
  return (
    <div aria-hidden className={cardClass}>
      <div className={boardClass}>
        {Array.from({ length: shown }, (_, place) => (
          <Skeleton
            key={place}
            className={`aspect-2/3 w-full ${place === 0 ? 'col-start-1 row-start-1' : ''}`}
          />
        ))}
      </div>
      <div className="flex h-7 items-center justify-between gap-3">
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-4 w-16" />
      </div>
    </div>
  )
}
