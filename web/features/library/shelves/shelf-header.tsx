import { Lock } from 'lucide-react'
import type { BookSort } from '#shared/book-filter.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { rich, t } from '#web/i18n/books.ts'
import { Badge } from '#web/ui/badge.tsx'
import { linkTo } from '#web/ui/link.tsx'
import type { MenuEntry } from '#web/ui/menu.tsx'
import { HeaderCount, ListHeader } from '#web/ui/page-shell.tsx'
import { NoBooks } from '../book-list/no-books.tsx'
import { OptionsMenu } from '../options-menu-button.tsx'
import { ShelfViewChoice, type ShelfView } from './shelf-view.tsx'
import { SortSelect } from '../book-list/sort-select.tsx'

/** Name, count and owner of a shelf, its order and view, and for its owner what can be done to it. */
export function ShelfHeader(props: {
  shelf: Bookshelf
  view: ShelfView
  onViewChange: (view: ShelfView) => void
  sort: BookSort
  onSortChange: (sort: BookSort) => void
  /** The owner's actions: the button for a new book, and the entries of the menu. */
  add?: React.ReactNode
  entries?: readonly MenuEntry[] | undefined
}) {
  const { shelf, view, onViewChange, sort, onSortChange, add, entries } = props
  const owner = shelf.expand?.user?.username
  return (
    <>
      <ListHeader
        title={<bdi className="min-w-0 wrap-anywhere">{shelf.name}</bdi>}
        badge={
          <>
            <HeaderCount>{t('bookCount', { count: shelf.book_count })}</HeaderCount>
            {shelf.visibility === 'private' ? (
              <Badge>
                <Lock aria-hidden className="me-1 size-3" />
                {t('private')}
              </Badge>
            ) : null}
          </>
        }
        actions={
          entries ? (
            <>
              {add}
              <OptionsMenu entries={entries} />
            </>
          ) : null
        }
      />
      <div className="mb-3 flex min-h-11 items-center gap-2 print:hidden">
        <p className="min-w-0 flex-1 truncate text-sm text-ink-soft">
          {owner ? rich('shelfOf', { username: owner, link: linkTo(`/u/${owner}`) }) : null}
        </p>
        {shelf.book_count > 1 ? <SortSelect value={sort} onValueChange={onSortChange} /> : null}
        <ShelfViewChoice view={view} onChange={onViewChange} />
      </div>
    </>
  )
}

export function EmptyShelf({ isOwner }: { isOwner: boolean }) {
  return <NoBooks isOwner={isOwner}>{t('emptyStartAdding')}</NoBooks>
}
