import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { upNextQuery } from '#web/api/reading.ts'
import { t } from '#web/i18n/books.ts'
import { formatDate, sentenceSpace } from '#web/i18n/format.ts'
import { TextLink } from '#web/ui/link.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { savedMessage } from './use-book-edit.ts'
import { NextStepButton } from './next-step-button.tsx'
import { nextSteps } from './use-step.tsx'
import { undoOptions } from './undo.ts'
import { UserBookCover } from './user-book-cover.tsx'

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

/** The first of the queue to start, or the way to find a book. */
function WhatNext({ user, onChosen }: { user: string; onChosen: () => void }) {
  const { data } = useQuery(upNextQuery(useApi(), user))
  if (!data) return null
  const [next] = data
  return (
    <div className="flex min-h-11 items-center gap-3">
      <span className="min-w-0 flex-1 text-ink">
        {t('whatNext')}
        {sentenceSpace()}
        {next ? (
          <bdi className="line-clamp-1 font-medium">{next.title}</bdi>
        ) : (
          <TextLink asChild>
            <Link to="/explore" onClick={onChosen}>
              {t('findABook')}
            </Link>
          </TextLink>
        )}
      </span>
      {next ? <NextStepButton book={next} step={nextSteps.planning} onTaken={onChosen} /> : null}
    </div>
  )
}
