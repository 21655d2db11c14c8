import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useState,
  type ReactNode,
} from 'react'
import { firstRows, range, type RowLayout, type VisibleRows } from './row-layout.ts'
import { useHydrated } from './hydrated.ts'

/**
 * Which items are in the page, and the room of those that are not. They stand in the flow of the
 * page, so that what the server rendered stays where it is when scripts take over.
 *
 * @param props.list whose items stand below one another, or in the columns of a grid
 * @param props.count of all items
 * @param props.first how many the server renders
 */
export function VirtualRows(props: {
  list: { current: HTMLElement | null }
  count: number
  first: number
  shape: RowLayout
  children: (visible: VisibleRows) => ReactNode
}): ReactNode {
  const { list, count, first, shape, children } = props
  const { estimateHeight, overscan, columns: estimateColumns, widthOf } = shape
  const isLive = useHydrated()
  const [{ top, width, columns, gap }, setBox] = useState(() => ({
    top: 0,
    width: windowWidth(),
    columns: typeof window === 'undefined' ? 1 : (estimateColumns?.(window.innerWidth) ?? 1),
    gap: 0,
  }))
  const starts = widthOf ? wrapRows(count, width, widthOf) : null
  // Nothing here is memoized: it tells by rendering again.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: starts ? starts.length : Math.ceil(count / columns),
    estimateSize: () => estimateHeight(windowWidth()),
    // Rows of another width are other rows.
    getItemKey: useCallback((row: number) => `${columns} ${width} ${row}`, [columns, width]),
    overscan,
    gap,
    scrollMargin: top,
    // Rows are ready long before they are in sight: a frame need not wait for others to be drawn.
    useFlushSync: false,
  })
  // Before the page is painted, so that it is as high as it will be when its place is looked for.
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const { gridTemplateColumns, rowGap } = getComputedStyle(list.current)
      const place = list.current.getBoundingClientRect()
      const next = {
        top: Math.round(place.top + window.scrollY),
        width: place.width,
        columns: gridTemplateColumns.split(' ').length,
        gap: Number.parseFloat(rowGap) || 0,
      }
      setBox((box) => (JSON.stringify(box) === JSON.stringify(next) ? box : next))
    }
    measure()
    // Content above can grow, for example when filters open or the header wraps.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  const rows = virtualizer.getVirtualItems()
  const [head] = rows
  const tail = rows.at(-1)
  const startOf = (row: number) => Math.min(count, starts ? (starts[row] ?? count) : row * columns)
  const current = (): VisibleRows => {
    if (!isLive || !head || !tail) return firstRows(Math.min(count, first))
    const rowsByStart = new Map(rows.map(({ index }) => [startOf(index), index]))
    return {
      items: range(startOf(head.index), startOf(tail.index + 1)),
      before: head.start - top,
      after: virtualizer.getTotalSize() - (tail.end - top),
      rowStart: (item) => {
        const row = rowsByStart.get(item)
        return row === undefined ? {} : { ref: virtualizer.measureElement, 'data-index': row }
      },
    }
  }
  const visible = current()
  const late = useDeferredValue(visible)
  const { isScrolling, range: inSight } = virtualizer
  const isEnough =
    isScrolling && inSight && covers(late, startOf(inSight.startIndex), startOf(inSight.endIndex))
  // While the page scrolls, rows that are still out of sight are drawn between the frames.
  return <Rows visible={isEnough && isOther(late, visible) ? late : visible} draw={children} />
}

interface RowsProps {
  visible: VisibleRows
  draw: (visible: VisibleRows) => ReactNode
}

const Rows = memo(
  ({ visible, draw }: RowsProps) => draw(visible),
  (last, next) => last.draw === next.draw && isSame(last.visible, next.visible),
)
Rows.displayName = 'Rows'

function covers({ items }: VisibleRows, from: number, to: number): boolean {
  return (items[0] ?? to) <= from && to <= (items.at(-1) ?? from)
}

function isOther({ items: one }: VisibleRows, { items: other }: VisibleRows): boolean {
  return one[0] !== other[0] || one.length !== other.length
}

function isSame(one: VisibleRows, other: VisibleRows): boolean {
  const rowOf = ({ items: [item = 0], rowStart }: VisibleRows) => rowStart(item)['data-index']
  return (
    !isOther(one, other) &&
    one.before === other.before &&
    one.after === other.after &&
    rowOf(one) === rowOf(other)
  )
}

/**
 * @param width of the whole row, in pixels
 * @returns which items begin a row when as many as fit stand in each
 */
export function wrapRows(
  count: number,
  width: number,
  widthOf: (item: number) => number,
): number[] {
  const starts: number[] = []
  let left = 0
  for (let item = 0; item < count; item++) {
    const own = widthOf(item)
    if (item === 0 || own > left) {
      starts.push(item)
      left = width
    }
    left -= own
  }
  return starts
}

/** 0 in the server, which draws the first items only and needs no room for others. */
function windowWidth(): number {
  return typeof window === 'undefined' ? 0 : window.innerWidth
}
