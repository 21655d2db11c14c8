import { Eye, ShoppingBag } from 'lucide-react'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import type { OfferedBook } from '#web/api/book-info.ts'
import { loadOffers, type OffersDialogProps } from '#web/features/catalogue/offers-button.tsx'
import { t } from '#web/i18n/books.ts'
import { TextLink } from '#web/ui/link.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { OptionsMenu } from '../options-menu-button.tsx'

/** The one menu of the page of the reader's own book: what is done seldom. */
export function BookPageMenu({ book }: { book: OfferedBook }) {
  const { Dialog, round, state, button } = useLazyDialog<OffersDialogProps>(loadOffers)
  return (
    <>
      <OptionsMenu
        entries={[
          { label: t('viewOffers'), icon: <ShoppingBag aria-hidden />, action: button.onClick },
          { label: t('viewAsVisitor'), icon: <Eye aria-hidden />, action: visitorViewSearch },
        ]}
      />
      <noscript>
        <TextLink href={visitorViewSearch}>{t('viewAsVisitor')}</TextLink>
      </noscript>
      {Dialog ? <Dialog key={round} book={book} {...state} /> : null}
    </>
  )
}
