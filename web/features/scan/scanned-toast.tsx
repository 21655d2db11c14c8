import { Link } from 'react-router'
import { bookSlug, type Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { withKnownState } from '#web/features/library/add-to-shelf/add-to-shelf-state.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/scan.ts'

/** Says that a scanned book was added, with the way to its page. */
export function showScannedToast(
  { title, isbns }: Pick<Book, 'title' | 'isbns'>,
  added: UserBook,
): void {
  const path = `/book/${bookSlug(title, isbns.ISBN_13, isbns.ISBN_10)}`
  const shelf = added.expand?.shelf?.name ?? t('yourShelf')
  toast.success(withKnownState(t('addedTitleTo', { title, shelf }), added, 'planning'), {
    duration: 2000,
    action: (
      <Link to={path} className={buttonClass('secondary', 'sm')}>
        {t('viewBook')}
      </Link>
    ),
  })
}
