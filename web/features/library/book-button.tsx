import { useRef } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { useBookEditor } from './book-editor-host.tsx'
import { bookButtonLabel, positionText } from './book-progress.tsx'
import { nextSteps, useStep } from './use-step.tsx'

/**
 * The one button of a book. It says where its reader is and opens page, status, rating and shelf;
 * its far end does the commonest next step at once.
 */
export function BookButton({ book }: { book: UserBook }) {
  const main = useRef<HTMLButtonElement>(null)
  const editButton = useBookEditor({ book })
  const take = useStep(book)
  const step = book.status === 'completed' ? undefined : nextSteps[book.status]
  const isReading = book.status === 'reading'
  return (
    <span className="relative z-10 inline-flex max-w-full">
      <Button
        ref={main}
        size="sm"
        icon={<StatusIcon status={book.status} />}
        // A list on paper says it, too.
        data-print
        aria-label={bookButtonLabel(book, 'edit')}
        className={classNames('min-w-0 shrink!', step && 'rounded-e-none')}
        {...editButton}
      >
        <span className="max-w-full truncate tabular-nums">
          {isReading ? positionText(book) : statusLabel(book.status)}
        </span>
      </Button>
      {step ? (
        <Button
          size="sm"
          icon={step.icon}
          aria-label={t(`stepOf.${step.name}`, { title: book.title })}
          title={t(`step.${step.name}`)}
          className="-ms-px rounded-s-none max-sm:gap-0! pointer-coarse:min-w-11"
          onClick={({ detail }) => {
            // The next step comes to lie under the second half of a double click.
            if (detail > 1) return
            take(step)
            // The step goes with the status it belonged to; the keyboard stays at the book.
            main.current?.focus()
          }}
        >
          <span className="max-sm:hidden">{t(`step.${step.name}`)}</span>
        </Button>
      ) : null}
    </span>
  )
}
