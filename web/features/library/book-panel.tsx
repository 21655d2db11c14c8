import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, type Ref } from 'react'
import { Link } from 'react-router'
import { isbnOf, type Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { OffersButton } from '#web/features/catalogue/offers-button.tsx'
import { rich, t } from '#web/i18n/books.ts'
import { TextLink } from '#web/ui/link.tsx'
import { statusLabel, StatusText } from '#web/ui/status-badge.tsx'
import { useCopies } from './add-to-shelf-book.ts'
import { AddToShelfButton } from './add-to-shelf.tsx'
import { WantToReadButton } from './add-to-shelf-want.tsx'
import { useBookEditor } from './book-editor-host.tsx'
import { BookProgress } from './book-progress.tsx'
import { NextStepButton } from './next-step-button.tsx'
import { PositionField } from './position-field.tsx'
import { RateBook } from './rate-book.tsx'
import { nextSteps } from './use-step.tsx'

const boxClass =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center rounded-md border border-line bg-surface px-4 py-1 dark:border-transparent lg:py-2'

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
      className={isThere ? boxClass : 'flex flex-wrap gap-3 *:flex-auto lg:*:w-full'}
    >
      {isThere ? (
        <CopiesState copies={copies} takesFocus={isWanted} />
      ) : isReader ? (
        <WantToReadButton
          book={book}
          variant="primary"
          size="lg"
          className="px-4! max-lg:w-full"
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
        className={isThere ? '-me-3 size-11 self-end gap-0! px-0!' : 'px-4!'}
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

/** The same for a book that only its reader's shelves know. */
export function CopiesPanel({ copies }: { copies: readonly UserBook[] }) {
  return (
    <section aria-label={t('onYourShelves')} className={boxClass}>
      <CopiesState copies={copies} />
    </section>
  )
}

function CopiesState(props: {
  copies: readonly UserBook[]
  takesFocus?: { current: boolean } | undefined
}) {
  const { copies, takesFocus } = props
  const status = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed is gone, and with it the keyboard's place.
    if (takesFocus?.current && document.activeElement === document.body) status.current?.focus()
  }, [takesFocus])
  // It is one book on all of its shelves.
  const book = copies[0]!
  const isBegun = book.progress_average > 0
  const step = book.status === 'completed' ? undefined : nextSteps[book.status]
  const next = step ? (
    <NextStepButton
      book={book}
      step={step}
      withIcon
      className={isBegun ? undefined : 'max-sm:grow lg:grow'}
      onTaken={() => status.current?.focus()}
    />
  ) : null
  return (
    <>
      <StatusButton book={book} ref={status} />
      {book.status === 'reading' ? (
        <PositionField book={book} className="col-span-full gap-x-2!">
          {next}
        </PositionField>
      ) : (
        <div className="col-span-full mb-1 flex items-center gap-4 empty:hidden">
          {isBegun ? <BookProgress book={book} className="flex-1" /> : null}
          {next}
        </div>
      )}
      <div className="col-span-full">
        <RateBook book={book} />
      </div>
      <ul className="grid grid-cols-1 text-sm">
        {copies.map((copy) => (
          <li key={copy.id} className="flex min-h-11 items-center">
            <span className="wrap-anywhere">
              {rich('onYourShelf', {
                shelf: copy.expand?.shelf?.name ?? t('shelf'),
                link: (name) => (
                  <TextLink key="shelf" asChild tone="ink" className="-my-3 py-3">
                    <Link to={`/shelf/${copy.shelf}`}>
                      <bdi>{name}</bdi>
                    </Link>
                  </TextLink>
                ),
              })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Says where the reader is, and opens status, page, rating and shelf. */
function StatusButton({ book, ref }: { book: UserBook; ref: Ref<HTMLButtonElement> }) {
  const editButton = useBookEditor({ book })
  return (
    <button
      ref={ref}
      type="button"
      // A page on paper says it, too.
      data-print
      aria-label={t('bookStatusButton', { title: book.title, status: statusLabel(book.status) })}
      className="col-span-full -mx-2 flex min-h-11 items-center justify-between gap-3 rounded-md px-2 hover:bg-sunken"
      {...editButton}
    >
      <StatusText status={book.status} />
      <ChevronDown aria-hidden className="size-4 text-ink-soft print:hidden" />
    </button>
  )
}
