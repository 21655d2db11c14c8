import { useRef } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { useBookEditor } from './book-editor-host.tsx'
import { bookButtonLabel, positionText } from './book-progress.tsx'
import { nextSteps, useStep } from './use-step.tsx'

/** Where a narrow column has no room for both, the icon falls out of sight below the word. */
const wordFirst =
  'flex h-5 flex-wrap-reverse content-end items-center justify-center gap-x-1 overflow-hidden'

/**
 * The one button of a book. It says where its reader is and opens page, status, rating and shelf;
 * its far end does the commonest next step at once.
 */
export function BookButton(props: {
  book: UserBook
  /** As wide as its place, in narrow columns: the next step is then its icon alone. */
  wide?: boolean | undefined
  /** In a column of a row: only a wide screen has room for the word of the next step. */
  dense?: boolean | undefined
  /** Somebody else's book: the button says the same, and opens what can only be read. */
  readOnly?: boolean | undefined
}) {
  const { book, wide = false, dense = false, readOnly = false } = props
  const main = useRef<HTMLButtonElement>(null)
  const editButton = useBookEditor({ book, readOnly })
  const take = useStep(book)
  const step = readOnly || book.status === 'completed' ? undefined : nextSteps[book.status]
  const isReading = book.status === 'reading'
  const state = isReading ? positionText(book) : statusLabel(book.status)
  return (
    <span
      className={classNames('relative z-10 inline-flex max-w-full', wide && '@container w-full')}
    >
      <Button
        ref={main}
        size="sm"
        icon={wide ? undefined : <StatusIcon status={book.status} />}
        aria-label={bookButtonLabel(book, readOnly ? 'details' : 'edit')}
        className={classNames(
          'min-w-0 shrink!',
          wide && 'flex-1 px-2! @max-[9.5rem]:px-1!',
          step && 'rounded-e-none',
        )}
        {...editButton}
      >
        <span className={wide ? wordFirst : 'contents'}>
          {wide && !isReading ? <StatusIcon status={book.status} /> : null}
          <span className="max-w-full truncate tabular-nums">{state}</span>
        </span>
      </Button>
      {step ? (
        <Button
          size="sm"
          icon={step.icon}
          aria-label={t(`stepOf.${step.name}`, { title: book.title })}
          title={t(`step.${step.name}`)}
          className={classNames(
            '-ms-px rounded-s-none pointer-coarse:min-w-11',
            wide ? 'gap-0! px-2!' : dense ? 'max-xl:gap-0!' : 'max-sm:gap-0!',
          )}
          onClick={({ detail }) => {
            // The next step comes to lie under the second half of a double click.
            if (detail > 1) return
            take(step)
            // The step goes with the status it belonged to; the keyboard stays at the book.
            main.current?.focus()
          }}
        >
          <span className={wide ? 'hidden' : dense ? 'max-xl:hidden' : 'max-sm:hidden'}>
            {t(`step.${step.name}`)}
          </span>
        </Button>
      ) : null}
    </span>
  )
}
