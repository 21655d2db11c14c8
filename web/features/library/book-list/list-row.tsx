import type { ComponentProps, ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

// A hairline from the words on; the tint of a selected row reaches out past them.
const row =
  'relative grid min-h-22 grid-cols-[--spacing(12)_minmax(0,1fr)_auto] content-center items-center gap-x-3.5 py-2 after:pointer-events-none after:absolute after:start-15.5 after:end-0 after:bottom-0 after:h-px after:bg-line [&_label]:after:-inset-x-3'

/** 88 pixels high: the state stands below the words. */
const stacked = {
  row,
  cover: 'row-span-2',
  text: 'grid min-w-0 self-end',
  state: 'col-start-2 row-start-2 min-w-0 self-start',
  end: 'relative z-10 col-start-3 row-span-2 row-start-1 flex items-center justify-self-end',
}

/**
 * The same on a phone; a wide screen sets it in columns of 64 pixels. The list around the rows is
 * their container: one each would have every new row styled while it is laid out.
 */
const dense: typeof stacked = {
  row: `${row} md:min-h-16 md:grid-cols-[--spacing(9)_minmax(0,1fr)_minmax(0,15rem)_minmax(6rem,auto)] md:gap-x-4 md:py-1 md:after:start-13 xl:grid-cols-[--spacing(9)_minmax(0,1fr)_minmax(0,18rem)_minmax(7rem,auto)]`,
  cover: `${stacked.cover} md:row-span-1`,
  text: `${stacked.text} md:self-center`,
  state: `${stacked.state} md:col-start-3 md:row-start-1 md:self-center`,
  end: `${stacked.end} md:col-start-4 md:row-span-1`,
}

/** One book of a list: its cover, its words, where a reader is in it, and what can be done next. */
export function ListRow(props: {
  cover: ReactNode
  children: ReactNode
  state?: ReactNode
  end?: ReactNode
  /** On a wide screen, too: where several lists stand beside one another. */
  isStacked?: boolean
  /** The `li` attributes that tell its place in the list. */
  item?: (ComponentProps<'li'> & { 'data-index'?: number; 'data-place'?: string }) | undefined
}) {
  const { cover, children, state, end, isStacked = false, item } = props
  const places = isStacked ? stacked : dense
  return (
    <li {...item} className={places.row}>
      <span className={places.cover}>{cover}</span>
      <div className={places.text}>{children}</div>
      <div className={places.state}>{state}</div>
      <div className={places.end}>{end}</div>
    </li>
  )
}

export const rowTitleClass =
  'line-clamp-1 text-base leading-5 font-medium text-wrap wrap-anywhere empty:hidden'

export const BookRowSkeleton = () => skeletonIn(dense)
export const StackedRowSkeleton = () => skeletonIn(stacked)

function skeletonIn(places: typeof dense) {
  return (
    <div aria-hidden className={places.row}>
      <Skeleton className={`aspect-2/3 w-full ${places.cover}`} />
      <div className={`${places.text} gap-2`}>
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      <Skeleton className={`my-1 h-2 w-32 ${places.state}`} />
      <Skeleton className={`h-5 w-14 ${places.end}`} />
    </div>
  )
}
