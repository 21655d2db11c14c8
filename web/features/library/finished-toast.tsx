import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { upNextQuery } from '#web/api/reading.ts'
import { t } from '#web/i18n/books.ts'
import { formatDate } from '#web/i18n/format.ts'
import { TextLink } from '#web/ui/link.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { savedMessage } from './use-book-edit.ts'
import { NextStepButton } from './next-step-button.tsx'
import { nextSteps } from './use-step.tsx'
import { undoOptions } from './undo.ts'
import { UserBookCover } from './user-book-cover.tsx'

/** Undo stands beside the title, and what is below has the whole width. */
const layout = {
  toast: 'flex-wrap',
  content: 'contents!',
  title: 'min-w-0 flex-1',
  description: 'order-last basis-full',
}

type Rate = (rating: number) => Promise<unknown>

/**
 * Says that a book is finished, with the way back, its stars and what could be read next: one tap
 * rates it, and who does not want to lets the message go.
 *
 * @param deeds.rate saves a rating; rejects when it could not
 */
export function showFinishedToast(book: UserBook, deeds: { rate: Rate; undo: () => void }): void {
  const id = `finished-${book.id}`
  toast.success(savedMessage(book.id, t('finishedNamed', { title: book.title })), {
    id,
    ...undoOptions(deeds.undo),
    classNames: layout,
    description: (
      <div className="grid gap-2">
        <div className="flex items-center gap-3">
          <span className="w-10 shrink-0">
            <UserBookCover book={book} priority />
          </span>
          <time suppressHydrationWarning>{formatDate(new Date())}</time>
        </div>
        <FinishedStars book={book} rate={deeds.rate} />
        <WhatNext user={book.user} onChosen={() => toast.dismiss(id)} />
      </div>
    ),
  })
}

function FinishedStars({ book, rate }: { book: UserBook; rate: Rate }) {
  const [value, setValue] = useState(book.rating)
  async function save(rating: number): Promise<void> {
    try {
      await rate(rating)
    } catch (error) {
      setValue(book.rating)
      toast.error(errorMessage(error))
    }
  }
  return (
    <RatingInput
      label={t('rateNamed', { title: book.title })}
      value={value}
      clearable={false}
      onChange={setValue}
      onCommit={(rating) => void save(rating)}
    />
  )
}

/**
 * The first of the queue to start, or the way to find a book. Its room is there before its answer
 * is: a message that grows would move from under the pointer.
 */
function WhatNext({ user, onChosen }: { user: string; onChosen: () => void }) {
  const { data, isLoading } = useQuery(upNextQuery(useApi(), user))
  const next = data?.[0]
  return (
    <div className="text-ink">
      <div className="flex min-h-11 items-center gap-3">
        <span className="min-w-0 flex-1">{t('whatNext')}</span>
        {next ? <NextStepButton book={next} step={nextSteps.planning} onTaken={onChosen} /> : null}
      </div>
      <p className="min-h-5 font-medium">
        {next ? (
          <bdi className="line-clamp-1">{next.title}</bdi>
        ) : isLoading ? null : (
          <TextLink asChild className="-my-3 py-3">
            <Link to="/explore" onClick={onChosen}>
              {t('findABook')}
            </Link>
          </TextLink>
        )}
      </p>
    </div>
  )
}
