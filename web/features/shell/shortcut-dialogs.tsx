import { lazy, Suspense, useState } from 'react'
import KeyList from './key-list.tsx'
import Palette from './palette.tsx'
import type { Shortcut } from './shortcut.ts'

const AddBook = lazy(async () => ({
  default: (await import('#web/features/library/add-book-dialog.tsx')).AddBookDialog,
}))
const Scan = lazy(() => import('#web/features/scan/scan-dialog.tsx'))

/** What the palette leads to beside pages. */
export type PaletteDialog = 'keys' | 'scan' | 'add'

/** The palette, the list of keys, and the dialogs that the palette opens; one at a time. */
export default function ShortcutDialogs({ asked }: { asked: { what: Shortcut } }) {
  const [seen, setSeen] = useState(asked)
  const [shown, setShown] = useState<Shortcut | PaletteDialog | null>(asked.what)
  // Each opening begins anew.
  const [round, setRound] = useState(0)
  const show = (what: Shortcut | PaletteDialog) => {
    setShown(what)
    setRound(round + 1)
  }
  if (asked !== seen) {
    setSeen(asked)
    show(asked.what)
  }
  const state = (what: Shortcut | PaletteDialog) => ({
    open: shown === what,
    onOpenChange: (open: boolean) => setShown((now) => (open ? what : now === what ? null : now)),
  })
  return (
    <>
      <Palette key={`palette-${round}`} {...state('palette')} onShow={show} />
      <KeyList {...state('keys')} />
      <Suspense>
        {shown === 'scan' ? <Scan key={`scan-${round}`} {...state('scan')} /> : null}
        {shown === 'add' ? <AddBook key={`add-${round}`} {...state('add')} /> : null}
      </Suspense>
    </>
  )
}
