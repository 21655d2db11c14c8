import { Pencil, ShoppingBag } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { loadOffers, type OffersDialogProps } from '#web/features/catalogue/offers-button.tsx'
import { t } from '#web/i18n/books.ts'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Menu, MenuEntries } from '#web/ui/menu.tsx'

/** The menu of a wanted book; its owner's. */
export default function WishlistMenu(props: {
  trigger: ReactNode
  book: UserBook
  onEdit: () => void
}) {
  const { trigger, book, onEdit } = props
  const { Dialog, round, state, button } = useLazyDialog<OffersDialogProps>(loadOffers)
  return (
    <>
      <Menu trigger={trigger} defaultOpen>
        <MenuEntries
          of={[
            { label: t('viewOffers'), icon: <ShoppingBag aria-hidden />, action: button.onClick },
            { label: t('edit'), icon: <Pencil aria-hidden />, action: onEdit },
          ]}
        />
      </Menu>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}
