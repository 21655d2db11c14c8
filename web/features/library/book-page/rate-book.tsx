import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { bookErrorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { usePagePath } from '#web/ui/page-path.ts'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { RatingSelect } from '#web/ui/rating-select.tsx'
import { ratingText } from '#web/ui/rating-steps.ts'
import { savedMessage, useBookEdit } from '../book-editor/use-book-edit.ts'
import { undoOptions } from '../trash/undo.ts'

/** The stars of a reader's own book: saved on release, with Undo. */
export function RateBook({ book }: { book: UserBook }) {
  const { mutateAsync } = useBookEdit(book)
  const scale = useRatingScale()
  /** The rating being dragged, until it is saved or refused. */
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

  const label = t('rateNamed', { title: book.title })
  return (
    <>
      <span className="script-only">
        <RatingInput
          label={label}
          value={dragged ?? book.rating}
          onChange={setDragged}
          onCommit={(rating) => void save(rating)}
        />
      </span>
      <noscript>
        <RatingForm book={book} label={label} />
      </noscript>
    </>
  )
}

/** The same as a list to choose from, for a browser without scripts. */
function RatingForm({ book, label }: { book: UserBook; label: string }) {
  return (
    <form method="post" action={usePagePath()} className="flex items-center gap-2 py-1">
      <input type="hidden" name="book" value={book.id} />
      <RatingSelect label={label} value={book.rating} />
      <Button type="submit">{t('save')}</Button>
    </form>
  )
}
