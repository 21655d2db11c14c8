import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage } from '#web/api/errors.ts'
import { RatingInput } from '#web/ui/rating-input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { undoTime } from './undo.ts'

type Rate = (rating: number) => Promise<unknown>

/**
 * Says that a book is finished, with the way back and its stars: one tap rates it, and who does not
 * want to lets the message go.
 *
 * @param deeds.rate saves a rating; rejects when it could not
 */
export function tellFinished(book: UserBook, deeds: { rate: Rate; undo: () => void }): void {
  toast.success(`Finished ${book.title}`, {
    duration: undoTime,
    action: { label: 'Undo', onClick: deeds.undo },
    description: <FinishedStars book={book} rate={deeds.rate} />,
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
      label={`Rate ${book.title}`}
      value={value}
      clearable={false}
      onChange={setValue}
      onCommit={(rating) => void save(rating)}
    />
  )
}
