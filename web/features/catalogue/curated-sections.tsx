import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CuratedSections as Curated } from '#shared/book.ts'
import { curatedQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { CoverCardSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { rich, t } from '#web/i18n/catalogue.ts'
import { BookCard } from './book-card.tsx'

/** Books per section: two rows of the widest grid. */
export const shownAtFirst = 12

/** All of it: a row would have what was asked for out of sight. */
const wholeClass =
  'grid grid-cols-2 gap-x-4 gap-y-6 min-[26rem]:grid-cols-3 md:grid-cols-4 md:gap-x-6 md:gap-y-8 lg:grid-cols-6'

/** The content of Explore before a search. */
export function CuratedSections() {
  const query = useQuery(curatedQuery(useApi(), shownAtFirst))
  if (query.isError) return <ErrorState {...dataError(query)} />
  return (
    <>
      <BookShelf title={t('mostPopularClassics')} section="classics" first={query.data} priority />
      <BookShelf title={t('mangaAndLightNovels')} section="manga" first={query.data} />
    </>
  )
}

function BookShelf(props: {
  title: string
  section: keyof Curated
  /** The books shown before 'Show more'. */
  first: Curated | undefined
  priority?: boolean | undefined
}) {
  const { title, section, first, priority = false } = props
  const [isOpen, setIsOpen] = useState(false)
  const all = useQuery({ ...curatedQuery(useApi()), enabled: isOpen })
  const isWhole = isOpen && all.data !== undefined
  const books = (isWhole ? all.data : first)?.[section]
  return (
    <Section title={title}>
      {books ? (
        <OwnedBooks books={keyed(books)}>
          <ul aria-label={title} className={isWhole ? wholeClass : 'cover-row'}>
            {books.map((book, place) => (
              <li key={book.id} data-place={book.id} className="grid">
                <BookCard book={book} priority={priority && place < 6} />
              </li>
            ))}
          </ul>
        </OwnedBooks>
      ) : (
        <SkeletonGroup count={shownAtFirst} of={CoverCardSkeleton} className="cover-row" />
      )}
      {books?.length === shownAtFirst && !isWhole && !all.isError ? (
        <Button className="mt-4" pending={isOpen} onClick={() => setIsOpen(true)}>
          {rich('showMoreOf', {
            title,
            hidden: (text) => <span className="sr-only">{text}</span>,
          })}
        </Button>
      ) : null}
      {isOpen && all.isError ? <ErrorState {...dataError(all)} /> : null}
    </Section>
  )
}
