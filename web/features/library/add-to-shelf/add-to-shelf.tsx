import { Plus } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { Book } from '#shared/book.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/books.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'

/** The button of a book's page. A visitor is sent to sign in, and back. */
export function AddToShelfButton({
  book,
  isOwned = false,
  ...look
}: Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  book: Book
  /** The book is on a shelf already: the button is its icon. */
  isOwned?: boolean
}) {
  const { pathname, search } = useLocation()
  const isReader = Boolean(useSession())
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  if (!isReader)
    return (
      <Button {...look} asChild>
        <Link to={loginPath(pathname + search)}>{t('addToShelf')}</Link>
      </Button>
    )
  return (
    <>
      <Button
        {...look}
        icon={<Plus />}
        aria-label={isOwned ? t('addToAnotherShelf') : undefined}
        {...button}
      >
        {isOwned ? null : t('addToShelf')}
      </Button>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}

const loadDialog = async () => (await import('./add-to-shelf-dialog.tsx')).AddToShelfDialog
