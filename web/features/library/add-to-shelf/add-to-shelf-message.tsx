import { Link } from 'react-router'
import type { Status, UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { withKnownState } from './add-to-shelf-state.tsx'

/** A message with a link in it stays long enough to be followed, in milliseconds. */
const linkToast = 5000

/**
 * Says to which shelf a book was added, with a link to it.
 *
 * @param asked the status it was added with; a book that the reader already has keeps its status
 */
export function showAddedToast(added: UserBook, asked: Status): void {
  const { title, shelf, expand } = added
  const name = expand?.shelf?.name
  const message = name
    ? t('addedToShelf', { title, shelf: name })
    : t('addedToYourShelf', { title })
  toast.success(withKnownState(message, added, asked), {
    duration: linkToast,
    action: (
      <Link to={`/shelf/${shelf}`} className={buttonClass('secondary', 'sm')}>
        {t('viewShelf')}
      </Link>
    ),
  })
}
