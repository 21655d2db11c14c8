import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Image, Maximize2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { daysUntil } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import { lastFinishedQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { useSession } from '#web/api/session.ts'
import { sharePicture } from '#web/features/profile/share-picture.ts'
import { t as books } from '#web/i18n/books.ts'
import { t as finish } from '#web/i18n/finish.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PartialDateField } from '#web/ui/partial-date-field.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { FinishLedge } from './finish-ledge.tsx'
import { FinishNext } from './finish-next.tsx'
import { OutboxMark } from '../book-list/outbox-mark.tsx'
import { finishDays, useFinishForm } from './use-finish-form.ts'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

/**
 * A finished book: its stars, its day, a line of review and what to read next. Stars and days are
 * saved at once; what is typed is saved when the sheet is left, and stays in it if that fails.
 */
export function FinishSheet(props: {
  /** As it was before it was finished. */
  book: UserBook
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called when the finish is being taken back, and when that is done and shown. */
  onUndoing: (isUndoing: boolean) => void
}) {
  const { book, open, onOpenChange, onUndoing } = props
  const form = useFinishForm(book)
  const reading = useFinishedReading(book, open)
  const { day, wrong, finished } = form
  const leave = () => void form.saveTyped().then((isSaved) => isSaved && onOpenChange(false))
  const undo = () => {
    onOpenChange(false)
    onUndoing(true)
    void form.undo().finally(() => onUndoing(false))
  }
  return (
    <Dialog
      title={<Title book={book} facts={factsOf(book, reading)} />}
      open={open}
      onOpenChange={leave}
      footer={
        <div className="flex w-full items-center gap-x-1">
          <Button variant="quiet" className="-ms-4" onClick={undo}>
            {t('undo')}
          </Button>
          {finished ? <SharePicture year={finished.slice(0, 4)} /> : null}
          <Button
            variant="primary"
            size="lg"
            className="ms-auto"
            pending={form.isPending}
            onClick={leave}
          >
            {t('done')}
          </Button>
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <OutboxMark book={book.id} />
        {finished ? (
          <FinishLedge user={book.user} year={finished.slice(0, 4)} reading={reading} />
        ) : null}
        <RatingInput
          label={books('rateNamed', { title: book.title })}
          value={form.rating}
          clearable={false}
          onChange={form.setRating}
          onCommit={(rating) => void form.rate(rating)}
        />
        {/* In one row of a phone, as far as the language's words fit. */}
        <div className="grid max-md:[&_label]:px-2!">
          <SegmentedControl
            label={finish('finishedWhen')}
            value={day}
            onValueChange={form.chooseDay}
            options={finishDays.map((value) => ({ value, label: finish(value) }))}
          />
        </div>
        {day === 'anotherDay' ? (
          <PartialDateField
            label={t('finished')}
            value={form.typed}
            onChange={form.setTyped}
            hint={t('unsureHint')}
            error={wrong['finished']}
          />
        ) : (
          <FieldError message={wrong['finished']} />
        )}
        <ReviewField
          review={form.review}
          hasSpoilers={form.hasSpoilers}
          error={wrong['review']}
          onReview={form.setReview}
          onSpoilers={form.setSpoilers}
        />
        <div className="border-t border-line pt-3">
          <FinishNext book={book} onTaken={leave} />
        </div>
      </div>
    </Dialog>
  )
}

/** Shares the picture of the year in which the book was finished. */
function SharePicture({ year }: { year: string }) {
  const username = useSession()?.user.username
  if (!username) return null
  return (
    <Button asChild variant="quiet">
      <a
        href={`/api/v1/users/${username}/year/${year}.png`}
        download
        onClick={(event) => void sharePicture(event)}
      >
        <Image aria-hidden className="size-4 max-sm:hidden" />
        {finish('sharePicture')}
      </a>
    </Button>
  )
}

function Title({ book, facts }: { book: UserBook; facts: string }) {
  return (
    <span className="flex gap-5">
      <span className="w-24 shrink-0">
        <UserBookCover book={book} priority />
      </span>
      <span className="grid min-w-0 flex-1 content-start gap-1">
        <span className="sr-only">{books('finishedNamed', { title: book.title })}</span>
        <span
          aria-hidden
          className="flex items-center gap-1.5 font-sans text-sm font-medium text-completed"
        >
          <CircleCheck className="size-4" />
          {finish('isFinished')}
        </span>
        <bdi aria-hidden className="line-clamp-3 font-serif text-2xl leading-8 wrap-anywhere">
          {book.title}
        </bdi>
        <span className="font-sans text-sm font-normal text-ink-soft">{facts}</span>
      </span>
    </span>
  )
}

/** One line, with more room for whoever wants it. */
function ReviewField(props: {
  review: string
  hasSpoilers: boolean
  error: string | undefined
  onReview: (review: string) => void
  onSpoilers: (hasSpoilers: boolean) => void
}) {
  const { review, hasSpoilers, error, onReview, onSpoilers } = props
  const [isRoomy, setRoomy] = useState(review.includes('\n'))
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="grid gap-2">
      <div className="relative">
        <TextAreaField
          ref={field}
          label={finish('reviewLine')}
          hideLabel
          placeholder={finish('reviewLine')}
          rows={isRoomy ? 6 : 1}
          value={review}
          error={error}
          onChange={({ currentTarget: { value } }) => {
            onReview(value)
            if (value.includes('\n')) setRoomy(true)
          }}
        />
        {isRoomy ? null : (
          <IconButton
            label={finish('moreRoom')}
            className="absolute end-1 top-0.5"
            onClick={() => {
              setRoomy(true)
              // This button goes.
              field.current?.focus()
            }}
          >
            <Maximize2 aria-hidden />
          </IconButton>
        )}
      </div>
      {isRoomy ? (
        <Checkbox
          label={t('hasSpoilers')}
          hint={t('spoilersHint')}
          checked={hasSpoilers}
          onCheckedChange={onSpoilers}
        />
      ) : null}
    </div>
  )
}

/** The time through a book that was finished last, once the server has told of it. */
function useFinishedReading(book: UserBook, enabled: boolean) {
  const { data, fetchStatus } = useQuery({ ...lastFinishedQuery(useApi(), book), enabled })
  const [isNew, setNew] = useState(false)
  // Refetch an answer from before the book was finished.
  if (!isNew && enabled && data !== undefined && fetchStatus === 'idle') setNew(true)
  return isNew ? (data ?? undefined) : undefined
}

/** @returns "21 days · 282 pages", as far as that is known */
function factsOf(book: UserBook, reading: ReturnType<typeof useFinishedReading>): string {
  const { started = '', finished = '' } = reading ?? {}
  const isKnown = started.length === 10 && finished.length === 10
  return [
    isKnown && finish('daysLong', { count: Math.max(1, daysUntil(started, finished)) }),
    book.page_count > 0 && books('pageCount', { count: book.page_count }),
  ]
    .filter(Boolean)
    .join(' · ')
}
