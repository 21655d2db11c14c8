import { useQueries } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { PagedBooks } from '#web/api/library-lists.ts'
import type { VisibleRows } from '#web/ui/row-layout.ts'
import { VirtualRows } from '#web/ui/virtual-rows.tsx'
import type { PagesInSight } from './book-pages.tsx'

type Draw = (sight: VisibleRows, pages: PagesInSight) => ReactNode

/** A list of several pages: only the rows in sight are in the page, and only their pages in memory. */
export default function ManyPages(
  props: Omit<ComponentProps<typeof VirtualRows>, 'first' | 'children'> & {
    source: PagedBooks
    children: Draw
  },
) {
  const { source, count, children, ...rest } = props
  return (
    <VirtualRows {...rest} count={count} first={source.size}>
      {(sight) => <Sight {...{ source, count, sight }} draw={children} />}
    </VirtualRows>
  )
}

function Sight(props: { source: PagedBooks; count: number; sight: VisibleRows; draw: Draw }) {
  const { source, count, sight, draw } = props
  const inSight = new Set(sight.items.map((index) => Math.floor(index / source.size) + 1))
  // The last page is the one a press of the button waits for.
  const wanted = [...inSight.add(1).add(Math.ceil(count / source.size))].toSorted((a, b) => a - b)
  const answers = useQueries({ queries: wanted.map((page) => source.page(page)) })
  return draw(
    sight,
    new Map(wanted.flatMap((page, at) => (answers[at] ? [[page, answers[at]]] : []))),
  )
}
