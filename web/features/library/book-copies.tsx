import { Suspense } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { rich, t } from '#web/i18n/books.ts'
import { useHydrated } from '#web/ui/hydrated.ts'
import { TextLink } from '#web/ui/link.tsx'
import { useCopies } from './add-to-shelf-book.ts'
import { BookButton } from './book-button.tsx'
import { BookProgress } from './book-progress.tsx'
import { PositionField } from './position-field.tsx'
import { RateBook } from './rate-book.tsx'

/** Where the reader has this book already, and how far each copy is read. */
export function BookCopies({ book }: { book: Book }) {
  const { data: copies = [] } = useCopies(book)
  return copies.length > 0 ? <CopyList copies={copies} /> : null
}

/** Fetched once the page is there. */
const BookJournal = lazy(() => import('./book-journal.tsx'))

export function CopyList({ copies }: { copies: readonly UserBook[] }) {
  const isHydrated = useHydrated()
  const [first] = copies
  return (
    <div className="grid grid-cols-1 gap-6">
      <ul aria-label={t('onYourShelves')} className="grid grid-cols-1 gap-3">
        {copies.map((copy) => (
          <Copy key={copy.id} copy={copy} />
        ))}
      </ul>
      {first ? (
        // What follows keeps its place as the journal arrives.
        <div className="min-h-67">
          {isHydrated ? (
            <Suspense>
              <BookJournal book={first} isOwner />
            </Suspense>
          ) : null}
        </div>
      ) : null}
      <p className="text-sm">
        <TextLink asChild tone="soft">
          <a href={visitorViewSearch} className="-my-2 inline-block py-2">
            {t('viewAsVisitor')}
          </a>
        </TextLink>
      </p>
    </div>
  )
}

/** What is the reader's own, to change at once: stars, status and page. */
function Copy({ copy }: { copy: UserBook }) {
  return (
    <li className="grid grid-cols-1 gap-2 rounded-md border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <RateBook book={copy} />
        <BookButton book={copy} />
      </div>
      {copy.status === 'reading' ? (
        <PositionField book={copy} />
      ) : (
        <BookProgress book={copy} className="my-1" />
      )}
      <p className="text-sm wrap-anywhere">
        {rich('onYourShelf', {
          shelf: copy.expand?.shelf?.name ?? t('shelf'),
          link: (name) => (
            <TextLink key="shelf" asChild tone="ink">
              <Link to={`/shelf/${copy.shelf}`}>
                <bdi>{name}</bdi>
              </Link>
            </TextLink>
          ),
        })}
      </p>
    </li>
  )
}
