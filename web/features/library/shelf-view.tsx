import { LayoutGrid, List, RectangleVertical } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Segmented } from '#web/ui/segmented.tsx'

export type ShelfView = 'grid' | 'list' | 'spines'

const views = [
  { value: 'grid', label: 'Grid', icon: <LayoutGrid className="size-4" /> },
  { value: 'list', label: 'List', icon: <List className="size-4" /> },
  { value: 'spines', label: 'Spines', icon: <RectangleVertical className="size-4" /> },
] as const

const key = 'shelf-view'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): ShelfView {
  const kept = localStorage.getItem(key)
  return views.find((view) => view.value === kept)?.value ?? 'grid'
}

/** How a reader likes to see shelves; kept in this browser. */
export function useShelfView(): [ShelfView, (view: ShelfView) => void] {
  const view = useSyncExternalStore<ShelfView>(subscribe, read, () => 'grid')
  return [
    view,
    (next) => {
      localStorage.setItem(key, next)
      for (const listener of listeners) listener()
    },
  ]
}

export function ShelfViewChoice(props: { view: ShelfView; onChange: (view: ShelfView) => void }) {
  return (
    <Segmented
      label="View"
      iconOnly
      value={props.view}
      options={views}
      onValueChange={props.onChange}
    />
  )
}
