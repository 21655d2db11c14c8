import { ShoppingBag } from 'lucide-react'
import type { Book } from '#shared/book.ts'
import { somethingWrong } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { useLateDialog, type DialogState } from '#web/ui/late-dialog.ts'
import { toast } from '#web/ui/toast.tsx'

export type BookOffersProps = DialogState & { book: Book }

const loadDialog = async () => (await import('./book-offers-dialog.tsx')).BookOffersDialog

/** The button that shows where a book can be had. */
export function BookOffers({ book }: { book: Book }) {
  const { Dialog, round, state, button } = useLateDialog<BookOffersProps>(loadDialog, () =>
    toast.error(somethingWrong),
  )
  return (
    <>
      <Button size="lg" className="max-sm:w-full" icon={<ShoppingBag />} {...button}>
        View Offers
      </Button>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}
