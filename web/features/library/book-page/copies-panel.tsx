import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, type Ref } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { rich, t } from '#web/i18n/books.ts'
import { TextLink } from '#web/ui/link.tsx'
import { statusLabel, StatusText } from '#web/ui/status-badge.tsx'
import { useBookEditor } from '../book-editor/book-editor-host.tsx'
import { BookProgress } from '../reading/book-progress.tsx'
import { NextStepButton } from '../reading/next-step-button.tsx'
import { PositionField } from '../reading/position-field.tsx'
import { RateBook } from './rate-book.tsx'
import { nextSteps } from '../reading/use-step.tsx'
import { ScriptButton } from '#web/ui/script-button.tsx'

export const panelClass =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center rounded-md border border-line bg-surface px-4 py-1 dark:border-transparent lg:py-2'

/** A reader's status, page, rating and shelves of a book. */
export function CopiesPanel({ copies }: { copies: readonly UserBook[] }) {
  return (
    <section aria-label={t('onYourShelves')} className={panelClass}>
      <CopiesState copies={copies} />
    </section>
  )
}

/** The content of {@link CopiesPanel}, for a panel with more in it. */
export function CopiesState(props: {
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
    <ScriptButton
      ref={ref}
      // A page on paper says it, too.
      data-print
      aria-label={t('bookStatusButton', { title: book.title, status: statusLabel(book.status) })}
      className="col-span-full -mx-2 flex min-h-11 items-center justify-between gap-3 rounded-md px-2 hover:bg-sunken"
      {...editButton}
    >
      <StatusText status={book.status} />
      <ChevronDown aria-hidden className="size-4 text-ink-soft print:hidden" />
    </ScriptButton>
  )
}
