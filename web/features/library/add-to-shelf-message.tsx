import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** A message with a link in it stays long enough to be followed, in milliseconds. */
const linkToast = 5000

/** Says where a book was put, with the way there. */
export function showAddedToast({ title, shelf, expand }: UserBook): void {
  const name = expand?.shelf?.name
  const message = name
    ? t('addedToShelf', { title, shelf: name })
    : t('addedToYourShelf', { title })
  toast.success(message, {
    duration: linkToast,
    action: (
      <Link to={`/shelf/${shelf}`} className={buttonClass('secondary', 'sm')}>
        {t('viewShelf')}
      </Link>
    ),
  })
}
