import { Suspense, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { readBook } from '#web/api/library.ts'
import { showError } from '#web/ui/fetch-toast.ts'
import ShortcutList from './shortcut-list.tsx'
import Palette from './palette.tsx'
import type { Asked, Shortcut } from './shortcut.ts'

const AddBook = lazy(async () => ({
  default: (await import('#web/features/library/add-book/add-book-dialog.tsx')).AddBookDialog,
}))
const Scan = lazy(() => import('#web/features/scan/scan-dialog.tsx'))

const Editor = lazy(async () => ({
  default: (await import('#web/features/library/book-editor/book-editor.tsx')).BookEditor,
}))

/** The dialogs that the palette opens. */
export type PaletteDialog = 'keys' | 'scan' | 'add'
type Shown = Shortcut | PaletteDialog | 'book'

/** The palette, the list of keys, and the dialogs that the palette opens; one at a time. */
export default function ShortcutDialogs({ asked }: { asked: Asked }) {
  const [seen, setSeen] = useState(asked)
  const [shown, setShown] = useState<Shown | null>(asked.what)
  const [edited, setEdited] = useState<UserBook>()
  const api = useApi()
  // Each opening starts with a fresh state.
  const [round, setRound] = useState(0)
  const show = (what: Shown) => {
    setShown(what)
    setRound(round + 1)
  }
  if (asked !== seen) {
    setSeen(asked)
    show(asked.what)
  }
  const edit = async (id: string) => {
    try {
      setEdited(await readBook(api, id))
      show('book')
    } catch (error) {
      showError(errorMessage(error))
    }
  }
  const state = (what: Shown) => ({
    open: shown === what,
    onOpenChange: (open: boolean) => setShown((now) => (open ? what : now === what ? null : now)),
  })
  return (
    <>
      <Palette
        key={`palette-${round}`}
        {...state('palette')}
        first={asked.text}
        onShow={show}
        onEdit={edit}
      />
      <ShortcutList {...state('keys')} />
      <Suspense>
        {shown === 'scan' ? <Scan key={`scan-${round}`} {...state('scan')} /> : null}
        {shown === 'book' && edited ? (
          <Editor key={`book-${round}`} book={edited} {...state('book')} />
        ) : null}
        {shown === 'add' ? <AddBook key={`add-${round}`} {...state('add')} /> : null}
      </Suspense>
    </>
  )
}
