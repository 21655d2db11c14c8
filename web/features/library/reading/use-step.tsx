import { BookOpen, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Status, UserBook } from '#shared/user-book.ts'
import { bookErrorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/books.ts'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { useFinish } from '../finish/finish-host.tsx'
import { savedMessage, useBookEdit } from '../book-editor/use-book-edit.ts'
import { undoOptions } from '../trash/undo.ts'

export interface Step {
  name: 'start' | 'finish' | 'resume'
  status: Status
  icon: ReactNode
}

/** The most likely next action of a book's reader. */
export const nextSteps = {
  planning: { name: 'start', status: 'reading', icon: <BookOpen /> },
  reading: { name: 'finish', status: 'completed', icon: <CircleCheck /> },
  paused: { name: 'resume', status: 'reading', icon: <BookOpen /> },
  dropped: { name: 'resume', status: 'reading', icon: <BookOpen /> },
} satisfies Partial<Record<Status, Step>>

/** Long enough to see that the wrong book was hit and to take it back. */
const takeBackTime = 5000

/** Takes a step, with the way back in a message; a finished book has a sheet instead. */
export function useStep(book: UserBook): (step: Step) => void {
  const { mutateAsync } = useBookEdit(book)
  const finish = useFinish()
  const fail = (error: unknown) => showError(bookErrorMessage(error))
  return (step) => {
    const { title, status, progress, page_count, progress_percent } = book
    const isFinished = step.status === 'completed'
    // Finished means all of it was read.
    const page = isFinished && page_count > 0 ? page_count : progress
    const undo = () =>
      void mutateAsync({ status, progress, progress_percent, isUndo: true }).catch(fail)
    const tell = async () => {
      if (isFinished) return finish.open(book)
      const toast = await fetchToast()
      toast.success(savedMessage(book.id, t(`stepDone.${step.name}`, { title })), {
        ...undoOptions(undo, takeBackTime),
      })
    }
    if (isFinished) finish.prepare()
    void mutateAsync({ status: step.status, progress: page }).then(tell, fail)
  }
}
