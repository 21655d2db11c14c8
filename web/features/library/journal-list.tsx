import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { dataError } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { distinctNames } from '#web/ui/distinct-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { JournalSection } from './journal-section.tsx'

/** The readings or the quotes of a book, which their owner adds and changes. */
export function JournalList<Entry extends { id: string }>(props: {
  query: UseQueryResult<Entry[]>
  isOwner: boolean
  title: string
  add: { label: string; icon: ReactNode }
  empty: string
  /** Draws the form of an entry, or of a new one. */
  form: (entry: Entry | undefined, close: () => void) => ReactNode
  /** What tells an entry from most others. */
  nameOf: (entry: Entry) => string
  /** Draws an entry; its name is like no other's. */
  children: (entry: Entry, name: string, onEdit: (() => void) | undefined) => ReactNode
}) {
  const { query, isOwner, title, add, empty, form, nameOf, children } = props
  /** Its id, or `new`. */
  const [edited, setEdited] = useState<string | null>(null)
  const { data: entries = [] } = query
  const close = () => setEdited(null)
  const names = distinctNames(entries.map(nameOf))
  if (query.isError && entries.length === 0) return <ErrorState {...dataError(query)} />
  if (!isOwner && entries.length === 0) return null
  return (
    <JournalSection
      title={title}
      action={
        isOwner && edited !== 'new' ? (
          <Button size="sm" className="min-h-11" icon={add.icon} onClick={() => setEdited('new')}>
            {add.label}
          </Button>
        ) : null
      }
    >
      {edited === 'new' ? form(undefined, close) : null}
      {entries.length === 0 && edited !== 'new' && query.isSuccess ? (
        <p className="text-sm text-ink-soft">{empty}</p>
      ) : null}
      <ol aria-label={title} className="grid grid-cols-1 gap-2 empty:hidden">
        {entries.map((entry, place) => (
          <li key={entry.id} className="grid grid-cols-1 border-t border-line pt-2">
            {edited === entry.id
              ? form(entry, close)
              : children(entry, names[place]!, isOwner ? () => setEdited(entry.id) : undefined)}
          </li>
        ))}
      </ol>
    </JournalSection>
  )
}
