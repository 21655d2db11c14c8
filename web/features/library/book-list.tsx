import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { BookFilter } from '#shared/book-filter.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isNotFound, isSignedOut } from '#web/api/errors.ts'
import { booksPageQuery, booksPageSize } from '#web/api/library.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BookRow, BookRowSkeleton } from './book-row.tsx'
import type { Selection } from './selection.tsx'

/** Rows kept ready above and below what is in sight, so that Tab finds the next one. */
const overscan = 8
/** Pixels; every row is measured once it is there. */
const likelyHeight = 130

interface BookListProps {
  user: string
  filter: BookFilter
  isOwner: boolean
  selection: Selection<UserBook> | undefined
  empty: ReactNode
}

/**
 * A reader's books, however many: only the rows in sight are in the page, and only their pages in
 * memory. It grows at its end, by itself or by the button.
 */
export function BookList({ empty, ...props }: BookListProps) {
  const { user, filter } = props
  const [first] = useQueries({ queries: [booksPageQuery(useApi(), user, filter, 1)] })
  const [reached, setReached] = useReached(user, filter)
  if (first.isPending)
    return <SkeletonGroup count={6} of={BookRowSkeleton} label="Loading books…" />
  // Not there, or not for this viewer: that is the whole screen's matter.
  if (first.error && (isNotFound(first.error) || isSignedOut(first.error))) throw first.error
  if (!first.data)
    return (
      <ErrorState
        title="Data Error"
        message={errorMessage(first.error)}
        onRetry={() => void first.refetch()}
        retrying={first.isFetching}
      />
    )
  const total = first.data.totalItems
  if (total === 0) return empty
  return <Rows {...props} total={total} reached={reached} onReach={setReached} />
}

/** How many pages were come to: kept for the way back to this list. */
function useReached(user: string, filter: BookFilter): [number, (pages: number) => void] {
  const queries = useQueryClient()
  const key = ['reached', user, filter]
  const [, redraw] = useState(0)
  return [
    queries.getQueryData<number>(key) ?? 1,
    (pages) => {
      queries.setQueryData(key, pages)
      redraw(pages)
    },
  ]
}

function Rows(
  props: Omit<BookListProps, 'empty'> & {
    total: number
    reached: number
    onReach: (pages: number) => void
  },
) {
  const { user, filter, isOwner, selection, total, reached, onReach } = props
  const api = useApi()
  const list = useRef<HTMLUListElement>(null)
  const count = Math.min(total, reached * booksPageSize)
  const { rows, before, after, measure } = useRowsInSight(list, count)
  const inSight = new Set(rows.map((index) => Math.floor(index / booksPageSize) + 1))
  // The last page is the one a press of the button waits for.
  const wanted = [...inSight.add(1).add(Math.ceil(count / booksPageSize))].toSorted((a, b) => a - b)
  const answers = useQueries({
    queries: wanted.map((page) => booksPageQuery(api, user, filter, page)),
  })
  const pages = new Map(wanted.map((page, place) => [page, answers[place]]))
  const last = answers.at(-1)
  const failed = answers.find((answer) => answer.isError && !answer.data)
  return (
    <InfiniteList
      hasMore={count < total}
      loading={last?.isPending === true && !last.isError}
      onMore={() => (failed ? void failed.refetch() : onReach(reached + 1))}
      error={failed ? errorMessage(failed.error) : undefined}
      status={`${count} of ${total} books`}
    >
      <ul
        ref={list}
        className="border-t border-line"
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {rows.map((index) => {
          const page = pages.get(Math.floor(index / booksPageSize) + 1)
          const book = page?.data?.items[index % booksPageSize]
          const place = { 'aria-setsize': total, 'aria-posinset': index + 1 }
          return book ? (
            <BookRow
              key={book.id}
              book={book}
              isOwner={isOwner}
              priority={index < 6}
              selection={selection}
              item={{ ref: measure, 'data-index': index, ...place }}
            />
          ) : (
            <li key={`row ${index}`} ref={measure} data-index={index} {...place}>
              <BookRowSkeleton />
            </li>
          )
        })}
      </ul>
    </InfiniteList>
  )
}

/**
 * Which rows are in the page, and the room of those that are not. Rows stand in the flow of the
 * page, so that what the server rendered stays where it is when scripts take over.
 */
function useRowsInSight(list: { current: HTMLElement | null }, count: number) {
  const isLive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const [top, setTop] = useState(0)
  // Nothing here is memoized: it tells by rendering again.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => likelyHeight,
    overscan,
    scrollMargin: top,
  })
  useEffect(() => {
    const measureTop = () => {
      const box = list.current?.getBoundingClientRect()
      if (box) setTop(Math.round(box.top + window.scrollY))
    }
    measureTop()
    // What stands above can grow: filters that open, a header that wraps.
    const observer = new ResizeObserver(measureTop)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  const items = virtualizer.getVirtualItems()
  const [head] = items
  const tail = items.at(-1)
  if (!isLive || !head || !tail) {
    const rows = Array.from({ length: Math.min(count, booksPageSize) }, (_, index) => index)
    return { rows, before: 0, after: 0, measure: virtualizer.measureElement }
  }
  return {
    rows: items.map(({ index }) => index),
    before: head.start - top,
    after: virtualizer.getTotalSize() - (tail.end - top),
    measure: virtualizer.measureElement,
  }
}

const never = () => () => undefined
