import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Book } from '#shared/book.ts'
import { curatedQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { CoverCardSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BookCard } from './book-card.tsx'

/** Two rows of the widest grid. */
const shownAtFirst = 12

/** A row to push aside on phones, a grid where there is room for one. */
export const shelfClass =
  'max-md:-mx-4 max-md:flex max-md:snap-x max-md:scroll-px-4 max-md:gap-4 max-md:overflow-x-auto max-md:px-4 max-md:pb-3 md:grid md:grid-cols-4 md:gap-x-6 md:gap-y-8 lg:grid-cols-6 max-md:*:w-36 max-md:*:shrink-0 max-md:*:snap-start'

/** What Explore shows before anything is searched. */
export function CuratedSections() {
  const query = useQuery(curatedQuery(useApi()))
  if (query.isError) return <ErrorState {...dataError(query)} />
  return (
    <>
      <BookShelf title="Most Popular Classics" books={query.data?.classics} priority />
      <BookShelf title="Manga and Light Novels" books={query.data?.manga} />
    </>
  )
}

function BookShelf(props: {
  title: string
  books: Book[] | undefined
  priority?: boolean | undefined
}) {
  const { title, books, priority = false } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title={title}>
      {books ? (
        <ul aria-label={title} className={shelfClass}>
          {books.slice(0, isOpen ? undefined : shownAtFirst).map((book, place) => (
            <li key={book.id} className="grid">
              <BookCard book={book} priority={priority && place < 6} />
            </li>
          ))}
        </ul>
      ) : (
        <SkeletonGroup count={shownAtFirst} of={CoverCardSkeleton} className={shelfClass} />
      )}
      {books && books.length > shownAtFirst && !isOpen ? (
        <Button className="mt-4" onClick={() => setIsOpen(true)}>
          Show More <span className="sr-only">of {title}</span>
        </Button>
      ) : null}
    </Section>
  )
}
