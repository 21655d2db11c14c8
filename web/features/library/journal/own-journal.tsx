import { Suspense } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { useHydrated } from '#web/ui/hydrated.ts'
import { lazy } from '#web/ui/lazy.ts'

/** Fetched once the page is there. */
const BookJournal = lazy(() => import('./book-journal.tsx'))

/** A reader's notes, readings and quotes of their own book, with room kept until they arrive. */
export function OwnJournal(props: { book: UserBook; isReviewShown?: boolean }) {
  const { book, isReviewShown = false } = props
  const isHydrated = useHydrated()
  return (
    <div className="min-h-43 sm:min-h-38">
      {isHydrated ? (
        <Suspense>
          <BookJournal book={book} isOwner isReviewShown={isReviewShown} />
        </Suspense>
      ) : null}
    </div>
  )
}
