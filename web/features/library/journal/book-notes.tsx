import { CalendarPlus, Pencil, Quote } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/readings.ts'
import { Button } from '#web/ui/button.tsx'
import { lazy } from '#web/ui/lazy.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { JournalSection } from './journal-section.tsx'
import { hasPersonalDetails, PersonalDetails } from './personal-details.tsx'

const ReadingForm = lazy(() => import('./reading-form.tsx'))
const QuoteForm = lazy(() => import('./quote-form.tsx'))
const ReviewForm = lazy(() => import('./review-form.tsx'))
const PersonalForm = lazy(() => import('./personal-form.tsx'))

/** A row of buttons that open the forms about a book, then its tags, note and review. */
export function BookNotes(props: {
  book: UserBook
  /** The review stands among other readers' on the page. */
  isReviewShown: boolean
  onSaved: (book: UserBook) => void
}) {
  const { book, isReviewShown, onSaved } = props
  const shown = isReviewShown ? { ...book, review: '' } : book
  const [isEdited, setEdited] = useState(false)
  return (
    <JournalSection title={t('yourNotes')}>
      <div className="-ms-2 flex flex-wrap max-sm:justify-between sm:gap-x-2">
        <FormButton
          icon={<Pencil />}
          text={book.review ? t('changeYourReview') : t('writeAReview')}
          short={t('short.review')}
        >
          {(close) => <ReviewForm book={book} onSaved={onSaved} onClose={close} />}
        </FormButton>
        <FormButton icon={<CalendarPlus />} text={t('logAReading')} short={t('short.reading')}>
          {(close) => <ReadingForm book={book} reading={undefined} onClose={close} />}
        </FormButton>
        <FormButton icon={<Quote />} text={t('addAQuote')} short={t('short.quote')}>
          {(close) => <QuoteForm book={book} onClose={close} />}
        </FormButton>
        <FormButton
          icon={<Pencil />}
          text={t('tagsNoteAndReview')}
          short={t('short.note')}
          label={t('changeAbout', { title: book.title })}
          onToggle={setEdited}
        >
          {(close) => <PersonalForm book={book} onSaved={onSaved} onClose={close} />}
        </FormButton>
      </div>
      {isEdited ? null : hasPersonalDetails(shown) ? (
        // A note's code may be yet to come; the row above stays meanwhile, and keeps the focus.
        <Suspense fallback={<Spinner />}>
          <PersonalDetails book={shown} isOwner />
        </Suspense>
      ) : isReviewShown ? null : (
        <p className="text-sm text-ink-soft">{t('nothingAbout')}</p>
      )}
    </JournalSection>
  )
}

/** A button of the row, and below the row the form that it opens; several may be open. */
function FormButton(props: {
  icon: ReactNode
  text: string
  /** For the one line that a phone has. */
  short: string
  /** Says more than the text, to screen readers. */
  label?: string
  onToggle?: (isOpen: boolean) => void
  children: (close: () => void) => ReactNode
}) {
  const { icon, text, short, label = text, onToggle, children } = props
  const [isOpen, setOpen] = useState(false)
  const toggle = (next: boolean) => {
    setOpen(next)
    onToggle?.(next)
  }
  return (
    <div className="contents">
      <Button
        variant="quiet"
        className="min-h-11 px-2! max-sm:px-1.5!"
        icon={icon}
        aria-label={label}
        aria-expanded={isOpen}
        // A second press would throw away what was typed.
        onClick={() => toggle(true)}
      >
        <span className="max-sm:hidden">{text}</span>
        <span className="sm:hidden">{short}</span>
      </Button>
      {isOpen ? (
        <div className="order-1 ms-2 mb-4 basis-full">
          <Suspense fallback={<Spinner />}>{children(() => toggle(false))}</Suspense>
        </div>
      ) : null}
    </div>
  )
}
