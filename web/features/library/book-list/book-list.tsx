import type { ReactNode } from 'react'
import type { RememberedBook } from '#shared/suggestion.ts'
import type { UserBook } from '#shared/user-book.ts'
import type { PagedBooks } from '#web/api/library-lists.ts'
import { t } from '#web/i18n/books.ts'
import { SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BookPages } from './book-pages.tsx'
import { BookRow } from './book-row.tsx'
import { BookRowSkeleton } from './list-row.tsx'
import type { Selection } from '../bulk-edit/selection.tsx'

/** Below this width, in pixels, a row's state stands under its text. */
const phone = 768

/** Books in rows, with their state and actions. */
export function BookList(props: {
  source: PagedBooks
  isOwner: boolean
  selection: Selection<UserBook> | undefined
  empty: ReactNode
  /** Hides the shelf's name in a list of one shelf. */
  hideShelf?: boolean | undefined
  /** The search words that matched, by book id. */
  found?: ReadonlyMap<string, RememberedBook['found']>
}) {
  const { source, isOwner, selection, empty, hideShelf, found } = props
  return (
    <BookPages
      source={source}
      empty={empty}
      skeleton={
        <SkeletonGroup
          count={6}
          of={BookRowSkeleton}
          label={t('loadingBooks')}
          className="@container"
        />
      }
      layout={{
        className: '@container',
        // The end is where it seems to be, also for those who jump to it.
        estimateHeight: (width) => (width > phone ? 64 : 88),
        overscan: 8,
        placeholder: <BookRowSkeleton />,
      }}
    >
      {(book, item, index) => (
        <BookRow
          key={book.id}
          book={book}
          isOwner={isOwner}
          priority={index < 6}
          selection={selection}
          hideShelf={hideShelf}
          found={found?.get(book.id)}
          item={item}
        />
      )}
    </BookPages>
  )
}
