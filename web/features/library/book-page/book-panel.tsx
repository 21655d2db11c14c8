import { useRef } from 'react'
import { isbnOf, type Book } from '#shared/book.ts'
import { useSession } from '#web/api/session.ts'
import { OffersButton } from '#web/features/catalogue/offers-button.tsx'
import { t } from '#web/i18n/books.ts'
import { useCopies } from '../add-to-shelf/add-to-shelf-book.ts'
import { AddToShelfButton } from '../add-to-shelf/add-to-shelf.tsx'
import { WantToReadButton } from '../add-to-shelf/add-to-shelf-want.tsx'
import { CopiesState, panelClass } from './copies-panel.tsx'

/** A reader's status, page, rating and shelves of a book, or the ways to shelve it. */
export function BookPanel({ book }: { book: Book }) {
  const { data: copies = [] } = useCopies(book)
  const isReader = Boolean(useSession())
  /** Whether the button was pressed that goes away once the book is on a shelf. */
  const isWanted = useRef(false)
  const isThere = copies.length > 0
  return (
    <section
      aria-label={isThere ? t('onYourShelves') : undefined}
      className={isThere ? panelClass : 'flex flex-wrap gap-3 *:flex-auto lg:*:w-full'}
    >
      {isThere ? (
        <CopiesState copies={copies} takesFocus={isWanted} />
      ) : isReader ? (
        <WantToReadButton
          book={book}
          variant="primary"
          size="lg"
          className="w-full flex-auto px-4!"
          onPress={() => {
            isWanted.current = true
          }}
        />
      ) : null}
      {/* In one place of the tree: its dialog stays open when the book comes to a shelf. */}
      <AddToShelfButton
        book={book}
        isOwned={isThere}
        variant={isThere ? 'quiet' : isReader ? 'secondary' : 'primary'}
        size={isThere ? 'md' : 'lg'}
        className={isThere ? '-me-3 size-11 shrink-0 self-end gap-0! px-0!' : 'px-4!'}
      />
      {isThere ? null : (
        <OffersButton
          size="lg"
          className="px-4!"
          book={{ title: book.title, authors: book.authors, isbn: isbnOf(book) }}
        />
      )}
    </section>
  )
}
