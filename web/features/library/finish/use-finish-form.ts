import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { datePartsOf, daysAfter, type PartialDate } from '#shared/partial-date.ts'
import type { UserBook } from '#shared/user-book.ts'
import { bookErrorMessage, fieldMessages, isNetworkError } from '#web/api/errors.ts'
import { untilRefetched } from '#web/api/query-keys.ts'
import { useToday } from '#web/api/today.ts'
import { t } from '#web/i18n/library.ts'
import { showError } from '#web/ui/fetch-toast.ts'
import { partialDateOf } from '#web/ui/partial-date-field.tsx'
import { useBookEdit } from '../book-editor/use-book-edit.ts'

/** When a reader says they finished a book. */
export const finishDays = ['today', 'yesterday', 'anotherDay', 'notSure'] as const
type FinishDay = (typeof finishDays)[number]

/** @returns the sentence to show at a field that could not be saved */
function problemOf(error: unknown, field: string): string {
  if (isNetworkError(error)) return t('notSavedOffline')
  return fieldMessages(error)[field] ?? bookErrorMessage(error)
}

/** The form of the finish sheet. @param book as it was before it was finished */
export function useFinishForm(book: UserBook) {
  const { mutateAsync, isPending } = useBookEdit(book)
  const queries = useQueryClient()
  const today = useToday()
  const [rating, setRating] = useState(book.rating)
  const [review, setReview] = useState(book.review)
  const [hasSpoilers, setSpoilers] = useState(book.review_spoilers)
  const [day, setDay] = useState<FinishDay>('today')
  const [typed, setTyped] = useState(datePartsOf(''))
  const [finished, setFinished] = useState(today)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const fail = (error: unknown) => showError(bookErrorMessage(error))

  async function rate(next: number): Promise<void> {
    try {
      await mutateAsync({ rating: next })
    } catch (error) {
      setRating(book.rating)
      fail(error)
    }
  }

  /** @returns whether it was saved */
  async function saveDay(next: PartialDate): Promise<boolean> {
    try {
      await mutateAsync({ status: 'completed', finished: next })
      setFinished(next)
      return true
    } catch (error) {
      setWrong({ finished: problemOf(error, 'finished') })
      return false
    }
  }

  function chooseDay(next: FinishDay): void {
    setDay(next)
    setWrong({})
    if (next !== 'anotherDay')
      void saveDay(next === 'notSure' ? '' : daysAfter(today(), next === 'today' ? 0 : -1))
  }

  /** Saves what was typed. @returns whether all of it is saved */
  async function saveTyped(): Promise<boolean> {
    const date = day === 'anotherDay' ? partialDateOf(typed) : ''
    if (date === null) {
      setWrong({ finished: t('noDate') })
      return false
    }
    if (date && date !== finished && !(await saveDay(date))) return false
    if (review === book.review && hasSpoilers === book.review_spoilers) return true
    try {
      await mutateAsync({ review, review_spoilers: hasSpoilers })
      return true
    } catch (error) {
      setWrong({ review: problemOf(error, 'review') })
      return false
    }
  }

  /** Takes the finish back, with the stars that were given; resolves when the page shows it. */
  async function undo(): Promise<void> {
    const { status, progress, progress_percent } = book
    const rated = rating === book.rating ? {} : { rating: book.rating }
    try {
      await mutateAsync({ status, progress, progress_percent, ...rated, isUndo: true })
      await untilRefetched(queries)
    } catch (error) {
      fail(error)
    }
  }

  return {
    rating,
    setRating,
    rate,
    day,
    chooseDay,
    typed,
    setTyped,
    review,
    setReview,
    hasSpoilers,
    setSpoilers,
    /** The day, month or year that is saved; '' if the reader doesn't know. */
    finished,
    /** Sentences by field. */
    wrong,
    saveTyped,
    undo,
    isPending,
  }
}
