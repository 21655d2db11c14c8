import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { bookErrorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/books.ts'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { ratingText } from '#web/ui/rating-steps.ts'
import { savedMessage, useBookEdit } from '../book-editor/use-book-edit.ts'
import { undoOptions } from '../trash/undo.ts'

/** The stars of a reader's own book: saved when the hand lets go, with the way back. */
export function RateBook({ book }: { book: UserBook }) {
  const { mutateAsync } = useBookEdit(book)
  const scale = useRatingScale()
  /** Under the hand, until it is saved or refused. */
  const [dragged, setDragged] = useState<number>()
  const fail = (error: unknown) => showError(bookErrorMessage(error))

  async function save(rating: number): Promise<void> {
    const before = book.rating
    try {
      await mutateAsync({ rating })
      const toast = await fetchToast()
      const message =
        rating > 0
          ? t('ratedNamed', { title: book.title, rating: ratingText(rating, scale) })
          : t('notRatedAnyMore', { title: book.title })
      toast.success(savedMessage(book.id, message), {
        id: `rating-${book.id}`,
        ...undoOptions(() => void mutateAsync({ rating: before, isUndo: true }).catch(fail)),
      })
    } catch (error) {
      fail(error)
    } finally {
      setDragged(undefined)
    }
  }

  return (
    <RatingInput
      label={t('rateNamed', { title: book.title })}
      value={dragged ?? book.rating}
      onChange={setDragged}
      onCommit={(rating) => void save(rating)}
    />
  )
}
