import { createContext, use, useState, type ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { loadCode } from '#web/ui/load-code.ts'
import { HeldContext } from '#web/ui/held.ts'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'

interface Finish {
  /** Fetches the sheet while the book is being saved. */
  prepare: () => void
  /** Opens the sheet. @param book as it was before it was finished */
  open: (book: UserBook) => void
}

const FinishContext = createContext<Finish | null>(null)

const loadSheet = async () => (await import('./finish-sheet.tsx')).FinishSheet

/**
 * Has the sheet of a book that was finished below it. What lies behind the sheet stays as it is until
 * the reader leaves it, or until the finish is taken back.
 */
export function FinishHost({ children }: { children: ReactNode }) {
  const [book, setBook] = useState<UserBook>()
  const { Dialog, round, state, button } = useLazyDialog(loadSheet)
  const [isUndoing, setUndoing] = useState(false)
  const [finish] = useState<Finish>(() => ({
    prepare: () => void loadCode(loadSheet).catch(() => undefined),
    open: (finished) => {
      setBook(finished)
      button.onClick()
    },
  }))
  return (
    <FinishContext value={finish}>
      <HeldContext value={state.open || isUndoing}>{children}</HeldContext>
      {Dialog && book ? <Dialog key={round} book={book} onUndoing={setUndoing} {...state} /> : null}
    </FinishContext>
  )
}

/** @returns what opens the sheet of a finished book, below a {@link FinishHost} */
export function useFinish(): Finish {
  const finish = use(FinishContext)
  if (!finish) throw new Error('useFinish needs a FinishHost above it')
  return finish
}
