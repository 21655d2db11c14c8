import { Check } from 'lucide-react'
import type { Ref } from 'react'
import { partialDateText } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Rating } from '#web/ui/rating.tsx'
import { StatusIcon, statusLabel } from '#web/ui/status-badge.tsx'
import { useBookEditor } from '../book-editor/book-editor-host.tsx'
import { BookProgress, bookButtonLabel, positionText } from '../reading/book-progress.tsx'
import { StepForm } from '../reading/step-form.tsx'
import { nextSteps, useStep } from '../reading/use-step.tsx'
import { ScriptButton } from '#web/ui/script-button.tsx'

interface StateProps {
  book: UserBook
  /** Somebody else's book: it says the same, and opens what can only be read. */
  readOnly?: boolean | undefined
  ref?: Ref<HTMLButtonElement> | undefined
}

/** The press of a whole line, at least a finger high: what stands in the line keeps its own role. */
const lineClass = 'relative z-10 flex min-h-5 min-w-0 items-center gap-1.5 text-xs text-ink-soft'
const pressClass =
  'inline-flex min-w-0 items-center gap-1.5 rounded-md font-medium line-press hover:text-ink'

/** The status icon; a finished book has a tinted check. */
function StateIcon({ status }: Pick<UserBook, 'status'>) {
  if (status !== 'completed') return <StatusIcon status={status} />
  return (
    <span
      aria-hidden
      className="grid size-4 shrink-0 place-items-center rounded-full bg-completed-tint text-completed"
    >
      <Check className="size-3" strokeWidth={3} />
    </span>
  )
}

/** In a row: where a reader is in a book, as quiet text that opens page, status, rating and shelf. */
export function BookState({ book, readOnly = false, ref }: StateProps) {
  const editButton = useBookEditor({ book, readOnly })
  const { status, rating, page_count, progress_average, finished } = book
  const isFinished = status === 'completed'
  const hasWord = !isFinished && status !== 'reading'
  return (
    <span className={lineClass}>
      <ScriptButton
        ref={ref}
        // A list on paper says it, too.
        data-print
        aria-label={bookButtonLabel(book, readOnly ? 'details' : 'edit')}
        className={pressClass}
        {...editButton}
      >
        <StateIcon status={status} />
        {hasWord ? <span className="truncate">{statusLabel(status)}</span> : null}
      </ScriptButton>
      {isFinished || (hasWord && progress_average === 0) ? null : (
        <BookProgress book={book} className="min-w-0 flex-nowrap! md:max-w-44 md:flex-1" />
      )}
      {isFinished || rating > 0 ? <Rating isCompact value={rating} /> : null}
      {isFinished && page_count > 0 ? (
        <span className="ms-2 whitespace-nowrap tabular-nums max-md:hidden">
          {t('pageCount', { count: page_count })}
        </span>
      ) : null}
      {isFinished && finished ? (
        <span className="ms-2 truncate tabular-nums md:max-xl:hidden">
          {partialDateText(finished, currentLanguage())}
        </span>
      ) : null}
    </span>
  )
}

/** The same below a cover, in one line of a narrow column; a book being read shows its page. */
export function CoverState({ book, readOnly = false, ref }: StateProps) {
  const editButton = useBookEditor({ book, readOnly })
  const { status, rating } = book
  const isRated = status === 'completed' || (status !== 'reading' && rating > 0)
  const isReading = status === 'reading'
  return (
    <span className={classNames(lineClass, 'flex-1')}>
      <ScriptButton
        ref={ref}
        data-print
        aria-label={bookButtonLabel(book, readOnly ? 'details' : 'edit')}
        className={classNames(pressClass, isRated && 'shrink-0')}
        {...editButton}
      >
        {isReading ? (
          <span className={classNames('tabular-nums', !readOnly && 'font-semibold text-rubric')}>
            {positionText(book)}
          </span>
        ) : (
          <>
            <StateIcon status={status} />
            {isRated ? null : <span className="truncate">{statusLabel(status)}</span>}
          </>
        )}
      </ScriptButton>
      {isRated ? <Rating isCompact value={rating} /> : null}
    </span>
  )
}

/** The commonest next step of a book, taken at once, as red text. A finished book has none. */
export function BookStep(props: {
  book: UserBook
  /** Has the keyboard afterwards: the step goes with the status it belonged to. */
  onTaken: () => void
  /** In a narrow column: finishing is its icon alone, and a book put aside shows no step. */
  narrow?: boolean
}) {
  const { book, onTaken, narrow = false } = props
  const take = useStep(book)
  if (book.status === 'completed') return null
  const step = nextSteps[book.status]
  if (narrow && step.name === 'resume') return null
  const isIcon = narrow && step.name === 'finish'
  return (
    <StepForm book={book}>
      <button
        type="submit"
        name="status"
        value={step.status}
        aria-label={t(`stepOf.${step.name}`, { title: book.title })}
        title={t(`step.${step.name}`)}
        className={classNames(
          'relative z-10 inline-flex shrink-0 items-center justify-center rounded-md font-medium text-rubric hover:underline hover:underline-offset-4',
          narrow
            ? 'min-h-5 text-xs outline-offset-[3px] after:absolute after:-inset-x-2 after:-inset-y-3'
            : 'min-h-11 min-w-11 px-2 text-sm',
          isIcon && '[&_svg]:size-4',
        )}
        onClick={(event) => {
          event.preventDefault()
          // The next step comes to lie under the second half of a double click.
          if (event.detail > 1) return
          take(step)
          onTaken()
        }}
      >
        {isIcon ? step.icon : t(`step.${step.name}`)}
      </button>
    </StepForm>
  )
}
