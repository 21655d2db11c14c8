import { ShoppingBag } from 'lucide-react'
import type { OfferedBook } from '#web/api/book-info.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { useLazyDialog, type DialogState } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/catalogue.ts'

export type OffersDialogProps = DialogState & { book: OfferedBook }

/** Fetches the dialog of {@link OffersButton}. */
export const loadOffers = async () => (await import('./offers-dialog.tsx')).OffersDialog

/** The button that shows where a book can be had. */
export function OffersButton({ book, ...look }: ButtonProps & { book: OfferedBook }) {
  const { Dialog, round, state, button } = useLazyDialog<OffersDialogProps>(loadOffers)
  return (
    <>
      <Button {...look} icon={<ShoppingBag />} {...button}>
        {t('viewOffers')}
      </Button>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}
