import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { ArrowUpToLine, GripVertical } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { IconButton, iconButtonClass } from './icon-button.tsx'
import { ScriptButton } from './script-button.tsx'

interface Sortable {
  id: string
  name: string
}

/** A row and its place, counted from one. */
export interface Placed {
  name: string
  place: number
  count: number
}

/** Labels of a row's buttons, and announcements as it moves. */
export interface SortableWords {
  instructions: string
  handle: (name: string) => string
  toTop: (name: string) => string
  lifted: (at: Placed) => string
  moved: (at: Placed) => string
  dropped: (at: Placed) => string
  cancelled: (at: Placed) => string
}

/**
 * A list whose rows change places by mouse, finger or keyboard: a handle is dragged, or lifted with
 * Space and moved with the arrow keys.
 *
 * @param props.onMove gets the row and the id of the one it comes right after; '' puts it first
 */
export function SortableList<Item extends Sortable>(props: {
  label: string
  items: readonly Item[]
  words: SortableWords
  onMove: (item: Item, after: string) => void
  children: (item: Item) => ReactNode
}) {
  const { label, items, words, onMove, children } = props
  const [isLifted, setLifted] = useState(false)
  useEscapeKept(isLifted)
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const indexOf = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id)

  function move(from: number, to: number): void {
    const item = items[from]
    if (item && from !== to) onMove(item, arrayMove([...items], from, to)[to - 1]?.id ?? '')
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: announcements(items, words),
        screenReaderInstructions: { draggable: words.instructions },
      }}
      onDragStart={() => setLifted(true)}
      onDragCancel={() => setLifted(false)}
      onDragEnd={({ active, over }) => {
        setLifted(false)
        if (over) move(indexOf(active.id), indexOf(over.id))
      }}
    >
      <SortableContext items={[...items]} strategy={verticalListSortingStrategy}>
        <ol aria-label={label}>
          {items.map((item, index) => (
            <Row
              key={item.id}
              item={item}
              words={words}
              onTop={index === 0 ? undefined : () => move(index, 0)}
            >
              {children(item)}
            </Row>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function Row(props: {
  item: Sortable
  words: SortableWords
  onTop: (() => void) | undefined
  children: ReactNode
}) {
  const { item, words, onTop, children } = props
  const {
    attributes,
    listeners,
    isDragging,
    transform,
    transition,
    setNodeRef,
    setActivatorNodeRef,
  } = useSortable(item)
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translateY(${transform.y}px)` : undefined, transition }}
      className={classNames(
        'flex min-h-16 items-center gap-3 border-t border-line py-2 first:border-t-0',
        isDragging && 'relative z-10 rounded-md border-transparent bg-sunken shadow-lift',
      )}
    >
      <ScriptButton
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        aria-label={words.handle(item.name)}
        // It is a button already; the word for what it does is in the instructions.
        aria-roledescription={undefined}
        className={classNames(
          iconButtonClass(),
          'size-11 touch-none',
          isDragging ? 'cursor-grabbing' : 'cursor-grab',
        )}
      >
        <GripVertical aria-hidden />
      </ScriptButton>
      {children}
      <IconButton
        label={words.toTop(item.name)}
        className="ms-auto size-11"
        disabled={!onTop}
        onClick={onTop}
      >
        <ArrowUpToLine aria-hidden />
      </IconButton>
    </li>
  )
}

/** Announcements for screen readers as a row moves. */
function announcements(items: readonly Sortable[], words: SortableWords): Announcements {
  const at = (id: UniqueIdentifier, place: UniqueIdentifier = id): Placed => ({
    name: items.find((item) => item.id === id)?.name ?? '',
    place: items.findIndex((item) => item.id === place) + 1,
    count: items.length,
  })
  return {
    onDragStart: ({ active }) => words.lifted(at(active.id)),
    // dnd-kit reports the row's own place first, which would replace the announcement of the lift.
    onDragOver: ({ active, over }) =>
      over?.id === active.id ? words.lifted(at(active.id)) : words.moved(at(active.id, over?.id)),
    onDragEnd: ({ active, over }) => words.dropped(at(active.id, over?.id)),
    onDragCancel: ({ active }) => words.cancelled(at(active.id)),
  }
}

/** While a row is lifted Escape puts it back and closes no dialog around the list. */
function useEscapeKept(isLifted: boolean): void {
  useEffect(() => {
    if (!isLifted) return undefined
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault()
    }
    // Before the dialog, which listens at the document.
    window.addEventListener('keydown', keep, true)
    return () => window.removeEventListener('keydown', keep, true)
  }, [isLifted])
}
