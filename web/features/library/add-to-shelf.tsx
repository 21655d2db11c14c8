import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Book } from '#shared/book.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AddToShelfDialog } from './add-to-shelf-dialog.tsx'

/** The button of a book's page. A visitor is sent to sign in, and back. */
export function AddToShelfButton({
  book,
  children = 'Add to shelf',
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className' | 'children'> & { book: Book }) {
  const { pathname, search } = useLocation()
  const isReader = Boolean(useSession())
  const dialog = useDialog()
  if (!isReader)
    return (
      <Button {...look} asChild>
        <Link to={loginPath(pathname + search)}>{children}</Link>
      </Button>
    )
  return (
    <>
      <Button {...look} icon={<Plus />} aria-haspopup="dialog" onClick={dialog.show}>
        {children}
      </Button>
      {dialog.round > 0 ? (
        <AddToShelfDialog key={dialog.round} book={book} {...dialog.state} />
      ) : null}
    </>
  )
}

/** The same on the cover of a card; for signed-in readers. */
export function AddToShelfIcon({ book }: { book: Book }) {
  const dialog = useDialog()
  return (
    <>
      <IconButton
        tone="raised"
        label={`Add ${book.title} to a shelf`}
        aria-haspopup="dialog"
        onClick={dialog.show}
      >
        <Plus aria-hidden />
      </IconButton>
      {dialog.round > 0 ? (
        <AddToShelfDialog key={dialog.round} book={book} {...dialog.state} />
      ) : null}
    </>
  )
}

/** A dialog that begins anew each time it is opened. */
function useDialog() {
  const [round, setRound] = useState(0)
  const [open, onOpenChange] = useState(false)
  return {
    round,
    state: { open, onOpenChange },
    show: () => {
      // An earlier message would lie over the sheet.
      toast.dismiss()
      setRound(round + 1)
      onOpenChange(true)
    },
  }
}
