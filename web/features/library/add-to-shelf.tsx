import { Plus } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { Book } from '#shared/book.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useFetchedDialog } from './fetched-dialog.ts'

/** The button of a book's page. A visitor is sent to sign in, and back. */
export function AddToShelfButton({
  book,
  children = 'Add to shelf',
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className' | 'children'> & { book: Book }) {
  const { pathname, search } = useLocation()
  const isReader = Boolean(useSession())
  const { Dialog, round, state, button } = useFetchedDialog(loadDialog)
  if (!isReader)
    return (
      <Button {...look} asChild>
        <Link to={loginPath(pathname + search)}>{children}</Link>
      </Button>
    )
  return (
    <>
      <Button {...look} icon={<Plus />} {...button}>
        {children}
      </Button>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}

/** The same on the cover of a card; for signed-in readers. */
export function AddToShelfIcon({ book }: { book: Book }) {
  const { Dialog, round, state, button } = useFetchedDialog(loadDialog)
  return (
    <>
      <IconButton tone="raised" label={`Add ${book.title} to a shelf`} {...button}>
        <Plus aria-hidden />
      </IconButton>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}

const loadDialog = async () => (await import('./add-to-shelf-dialog.tsx')).AddToShelfDialog
