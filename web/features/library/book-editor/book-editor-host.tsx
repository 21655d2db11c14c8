import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { loadCode } from '#web/ui/load-code.ts'
import { Part } from '#web/ui/part.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { FinishHost } from '../finish/finish-host.tsx'
import type { Leave } from './use-book-edit.ts'

interface Edited {
  book: UserBook
  /** Somebody else's: nothing in it can be changed. */
  readOnly?: boolean | undefined
}

interface Host {
  /** Props for the button that opens the editor, besides `onClick`. */
  button: Omit<ReturnType<typeof useLazyDialog>['button'], 'onClick'>
  open: (edited: Edited) => void
}

const HostContext = createContext<Host | null>(null)

/** Long enough for what the page itself fetches; milliseconds. */
const settling = 2000

const loadEditor = async () => (await import('./book-editor.tsx')).BookEditor

/**
 * Has the editor of the books below it, and the sheet of those that are finished, fetched when they
 * are first wanted. The editor stays, with what was typed, when its book leaves the list: by another
 * tab, or by a filter that follows.
 */
export function BookEditorHost(props: {
  children: ReactNode
  /** Goes elsewhere after a removal, instead of showing the list without the book. */
  onRemoved?: Leave | undefined
}) {
  const { children, onRemoved } = props
  const [edited, setEdited] = useState<Edited>()
  const { Dialog, round, state, button } = useLazyDialog(loadEditor)
  const isReader = useSession() !== null
  useEffect(() => {
    if (!isReader) return undefined
    const timer = setTimeout(() => void loadCode(loadEditor).catch(() => undefined), settling)
    return () => clearTimeout(timer)
  }, [isReader])
  // Made once: every button below is drawn again for another.
  const [host] = useState<Host>(() => {
    const { onClick: show, ...rest } = button
    const open = (next: Edited) => {
      setEdited(next)
      show()
    }
    return { button: rest, open }
  })
  return (
    <HostContext value={host}>
      <FinishHost>
        <Part>{children}</Part>
      </FinishHost>
      {Dialog && edited ? (
        <Dialog key={round} {...edited} onRemoved={onRemoved} {...state} />
      ) : null}
    </HostContext>
  )
}

/** @returns what a button carries that opens the editor of a book, below a {@link BookEditorHost} */
export function useBookEditor(edited: Edited) {
  const host = use(HostContext)
  if (!host) throw new Error('useBookEditor needs a BookEditorHost above it')
  return { ...host.button, onClick: () => host.open(edited) }
}
