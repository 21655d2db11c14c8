import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from 'react'
import { useLocation } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { dataError, errorMessage, isNotFound, isSignedOut } from '#web/api/errors.ts'
import type { PagedBooks } from '#web/api/library-lists.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/books.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useHeld } from '#web/ui/held.ts'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { keptPlace } from '#web/ui/kept-place.ts'
import { lazy } from '#web/ui/lazy.ts'
import { Part } from '#web/ui/part.tsx'
import { firstRows, type RowLayout, type VisibleRows } from '#web/ui/row-layout.ts'
import { useBookWidths } from './book-widths.ts'

/** The `li` attributes that tell a book's place in the list. */
export type ItemProps = Pick<ComponentProps<'li'>, 'ref' | 'aria-setsize' | 'aria-posinset'> & {
  'data-index'?: number
  'data-place'?: string
}

/** How the books of a list stand. */
interface BookLayout extends Omit<RowLayout, 'widthOf'> {
  className: string
  label?: string | undefined
  /** Width in pixels of each book, for rows of spines that wrap. */
  width?: ((book: UserBook) => number) | undefined
  /** Holds the place of a book that is still on its way. */
  placeholder: ReactNode
}

interface BookPagesProps {
  source: PagedBooks
  layout: BookLayout
  empty: ReactNode
  /** While nothing is known of the list. */
  skeleton: ReactNode
  /** Draws one book; gets its place among all. */
  children: (book: UserBook, item: ItemProps, index: number) => ReactNode
}

/**
 * Books, however many: only the rows in sight are in the page, and only their pages in memory. It
 * grows at its end, by itself or by the button.
 */
export function BookPages(props: BookPagesProps) {
  return (
    <Part>
      <Pages {...props} />
    </Part>
  )
}

function Pages({ empty, skeleton, ...props }: BookPagesProps) {
  const reader = useSession()?.user.id
  const first = useHeld(useQuery(props.source.page(1)))
  const [reached, setReached] = useReached(props.source)
  if (first.isPending) return skeleton
  // Not there, or not for this viewer: that is the whole screen's matter.
  if (first.error && (isNotFound(first.error) || isSignedOut(first.error))) throw first.error
  if (!first.data) return <ErrorState {...dataError(first)} />
  const total = first.data.totalItems
  if (total === 0) return empty
  const rows = { ...props, first, total, reached, onReach: setReached }
  if (!reader || first.data.items[0]?.user === reader) return <Rows {...rows} />
  return (
    <Suspense fallback={skeleton}>
      <OthersRows {...rows} />
    </Suspense>
  )
}

/** How many pages were come to: kept for the way back to this list. */
function useReached(source: PagedBooks): [number, (pages: number) => void] {
  const queries = useQueryClient()
  const location = useLocation()
  const key = ['reached', ...source.key]
  const [, redraw] = useState(0)
  const reached = queries.getQueryData<number>(key) ?? 1
  const reach = (pages: number) => {
    queries.setQueryData<number>(key, (before = 1) => Math.max(before, pages))
    redraw(pages)
  }
  const returnTo = useEffectEvent((position: number) => {
    const pages = Math.ceil(position / source.size)
    if (pages > reached) reach(pages)
  })
  // A reload empties the cache. The kept place isn't read earlier: the server doesn't have it.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => returnTo(keptPlace(location.key)?.position ?? 1), [location.key])
  return [reached, reach]
}

/** Pages of a list by their number, as far as they are in sight. */
export type PagesInSight = ReadonlyMap<number, UseQueryResult<ListResult<UserBook>>>

export type RowsProps = Omit<BookPagesProps, 'empty' | 'skeleton'> & {
  first: UseQueryResult<ListResult<UserBook>>
  total: number
  reached: number
  onReach: (pages: number) => void
  /** Stands around the list. */
  Frame?: ComponentType<{ books: readonly UserBook[]; children: ReactNode }>
}

/** For readers who look at somebody else's books. */
const OthersRows = lazy(() => import('./others-rows.tsx'))

const ManyPages = lazy(() => import('./many-pages.tsx'))

/** Most lists are one page long: they do without the code that follows the window. */
export function Rows(props: RowsProps) {
  const { source, layout, total, reached } = props
  const list = useRef<HTMLUListElement>(null)
  const widths = useBookWidths(source, layout.width)
  const shape = { ...layout, widthOf: widths?.of }
  const count = Math.min(total, reached * source.size)
  const rows = (sight: VisibleRows, pages: PagesInSight) => (
    <Books {...props} {...{ list, count, widths, sight, pages }} />
  )
  const first = rows(firstRows(Math.min(count, source.size)), new Map([[1, props.first]]))
  if (total <= source.size) return first
  return (
    <Suspense fallback={first}>
      <ManyPages {...{ source, list, count, shape }}>{rows}</ManyPages>
    </Suspense>
  )
}

function Books(
  props: RowsProps & {
    list: RefObject<HTMLUListElement | null>
    count: number
    widths: ReturnType<typeof useBookWidths>
    sight: VisibleRows
    pages: PagesInSight
  },
) {
  const { source, layout, total, reached, onReach, children, list, count, widths, Frame } = props
  const pages = useHeld(props.pages)
  const { items, before, after, rowStart } = props.sight
  const { size } = source
  const bookAt = (index: number) =>
    pages.get(Math.floor(index / size) + 1)?.data?.items[index % size]
  useEffect(() => widths?.keep(items.map((index) => [index, bookAt(index)])))
  // The last page, which a press of the button waits for.
  const last = pages.get(Math.ceil(count / size))
  const failed = [...pages.values()].find((answer) => answer.isError && !answer.data)
  const shown = (
    <ul
      ref={list}
      aria-label={layout.label}
      className={layout.className}
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {items.map((index) => {
        const book = bookAt(index)
        const place = { 'aria-setsize': total, 'aria-posinset': index + 1, ...rowStart(index) }
        if (book) return children(book, { ...place, 'data-place': book.id }, index)
        return (
          <li key={`place ${index}`} {...place}>
            {layout.placeholder}
          </li>
        )
      })}
    </ul>
  )
  return (
    <InfiniteList
      hasMore={count < total}
      isAhead
      loading={!last || (last.isPending && !last.isError)}
      onMore={() => (failed ? void failed.refetch() : onReach(reached + 1))}
      error={failed ? errorMessage(failed.error) : undefined}
      status={t('shownOfBooks', { count, total })}
    >
      {Frame ? <Frame books={items.flatMap((index) => bookAt(index) ?? [])}>{shown}</Frame> : shown}
    </InfiniteList>
  )
}
