import { BookOpen, CircleCheck } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { isByPercent } from '#shared/reading-position.ts'
import { statusLabels, type Status, type UserBook } from '#shared/user-book.ts'
import { bookRemoved, errorMessage, isNotFound } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { fetchToast } from '#web/ui/fetch-toast.ts'
import { StatusIcon } from '#web/ui/status-badge.tsx'
import { useBookEditor } from './book-editor-host.tsx'
import { useBookEdit } from './use-book-edit.ts'

interface Step {
  label: string
  /** What the toast says was done, before the title. */
  done: string
  status: Status
  icon: ReactNode
}

/** What a reader of a book most often does next. */
const nextSteps: Partial<Record<Status, Step>> = {
  planning: { label: 'Start', done: 'Started', status: 'reading', icon: <BookOpen /> },
  reading: { label: 'Finish', done: 'Finished', status: 'completed', icon: <CircleCheck /> },
  paused: { label: 'Resume', done: 'Resumed', status: 'reading', icon: <BookOpen /> },
  dropped: { label: 'Resume', done: 'Resumed', status: 'reading', icon: <BookOpen /> },
}

/** Two columns on a small phone have room for the word alone. */
const iconClass = 'max-sm:@max-[9.5rem]:hidden'

/** Long enough to see that the wrong book was hit and to take it back. */
const takeBackTime = 5000

/**
 * The one button of a book. It says where its reader is and opens page, status, rating and shelf;
 * its far end does the commonest next step at once.
 */
export function BookButton(props: {
  book: UserBook
  /** As wide as its place, in narrow columns: the next step is then its icon alone. */
  wide?: boolean | undefined
  /** Somebody else's book: the button says the same, and opens what can only be read. */
  readOnly?: boolean | undefined
}) {
  const { book, wide = false, readOnly = false } = props
  const main = useRef<HTMLButtonElement>(null)
  const editButton = useBookEditor({ book, readOnly })
  const take = useStep(book)
  const step = readOnly ? undefined : nextSteps[book.status]
  const isReading = book.status === 'reading'
  const place = isByPercent(book) ? `${book.progress_percent}%` : `Page ${book.progress}`
  const state = isReading ? place : statusLabels[book.status]
  return (
    <span
      className={classNames('relative z-10 inline-flex max-w-full', wide && '@container w-full')}
    >
      <Button
        ref={main}
        size="sm"
        icon={
          wide && isReading ? undefined : (
            <StatusIcon status={book.status} className={wide ? iconClass : undefined} />
          )
        }
        aria-label={`${book.title}: ${statusLabels[book.status]}, ${place.toLowerCase()}. ${readOnly ? 'Details' : 'Edit'}`}
        className={classNames(
          'min-w-0 shrink!',
          wide && 'flex-1 gap-0! px-2! [&_svg]:me-1',
          step && 'rounded-e-none',
        )}
        {...editButton}
      >
        <span className="truncate tabular-nums">{state}</span>
      </Button>
      {step ? (
        <Button
          size="sm"
          icon={step.icon}
          aria-label={`${step.label} ${book.title}`}
          title={step.label}
          className={classNames(
            '-ms-px rounded-s-none pointer-coarse:min-w-11',
            wide ? 'gap-0! px-2!' : 'max-sm:gap-0!',
          )}
          onClick={({ detail }) => {
            // The next step comes to lie under the second half of a double click.
            if (detail > 1) return
            take(step)
            // The step goes with the status it belonged to; the keyboard stays at the book.
            main.current?.focus()
          }}
        >
          <span className={wide ? 'hidden' : 'max-sm:hidden'}>{step.label}</span>
        </Button>
      ) : null}
    </span>
  )
}

/** Takes a step, with the way back in the message; of a finished book also its stars. */
function useStep(book: UserBook): (step: Step) => void {
  const { mutateAsync } = useBookEdit(book)
  const fail = async (error: unknown) =>
    void (await fetchToast()).error(isNotFound(error) ? bookRemoved : errorMessage(error))
  return (step) => {
    const { title, status, progress, page_count, progress_percent } = book
    const isFinished = step.status === 'completed'
    // Finished means all of it was read.
    const page = isFinished && page_count > 0 ? page_count : progress
    let rated: Pick<UserBook, 'rating'> | undefined
    const rate = (rating: number) => {
      rated = { rating: book.rating }
      return mutateAsync({ rating })
    }
    const undo = () =>
      void mutateAsync({ status, progress, progress_percent, ...rated, isUndo: true }).catch(fail)
    const tell = async () => {
      if (isFinished)
        return (await import('./finished-toast.tsx')).tellFinished(book, { rate, undo })
      const toast = await fetchToast()
      toast.success(`${step.done} ${title}`, {
        duration: takeBackTime,
        action: { label: 'Undo', onClick: undo },
      })
    }
    void mutateAsync({ status: step.status, progress: page }).then(tell, fail)
  }
}
