import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { pagedQuery } from '#web/api/library-lists.ts'
import { morePages } from '#web/api/more-pages.ts'
import { dataError } from '#web/api/errors.ts'
import { uniqueRecords } from '#web/api/unique-records.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { distinctNames } from '#web/ui/distinct-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { JournalSection } from './journal-section.tsx'

/** The readings or the quotes of a book, which their owner changes. */
export function JournalList<Entry extends { id: string }>(props: {
  source: ReturnType<typeof pagedQuery<Entry>>
  isOwner: boolean
  title: string
  /** Draws the form of an entry. */
  form: (entry: Entry, close: () => void) => ReactNode
  /** The entry's name; names that several entries share get a number. */
  nameOf: (entry: Entry) => string
  /** Draws an entry; its name is like no other's. */
  children: (entry: Entry, name: string, onEdit: (() => void) | undefined) => ReactNode
}) {
  const { source, isOwner, title, form, nameOf, children } = props
  /** The id of an entry. */
  const [edited, setEdited] = useState<string | null>(null)
  const query = useInfiniteQuery(source)
  const list = usePagesInSight(source.queryKey, query, ({ items }) => items.map(({ id }) => id))
  const entries = uniqueRecords(query.data?.pages.flatMap(({ items }) => items) ?? [])
  const close = () => setEdited(null)
  const names = distinctNames(entries.map(nameOf))
  if (query.isError && entries.length === 0) return <ErrorState {...dataError(query)} />
  if (entries.length === 0) return null
  return (
    <JournalSection title={title}>
      <InfiniteList ref={list} {...morePages(query)}>
        <ol aria-label={title} className="grid grid-cols-1 gap-2">
          {entries.map((entry, place) => (
            <li key={entry.id} className="grid grid-cols-1 border-t border-line pt-2">
              {edited === entry.id
                ? form(entry, close)
                : children(entry, names[place]!, isOwner ? () => setEdited(entry.id) : undefined)}
            </li>
          ))}
        </ol>
      </InfiniteList>
    </JournalSection>
  )
}
