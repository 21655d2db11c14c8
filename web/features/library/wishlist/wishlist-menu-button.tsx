import { EllipsisVertical } from 'lucide-react'
import type { Ref } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazy } from '#web/ui/lazy.ts'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { useBookEditor } from '../book-editor/book-editor-host.tsx'

const fetchMenu = () => import('./wishlist-menu.tsx')
const Menu = lazy(fetchMenu)

/** The menu of a wanted book: its offers, and edit. */
export function WishlistMenu({ book, ref }: { book: UserBook; ref?: Ref<HTMLButtonElement> }) {
  const editor = useBookEditor({ book })
  return (
    <OnDemand
      preload={fetchMenu}
      button={
        <IconButton ref={ref} label={t('optionsOf', { title: book.title })} className="size-11!">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {(trigger) => <Menu trigger={trigger} book={book} onEdit={editor.onClick} />}
    </OnDemand>
  )
}
