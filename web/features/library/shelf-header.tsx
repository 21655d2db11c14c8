import { Eye, Library, ListChecks, Lock, Pencil, Trash2 } from 'lucide-react'
import type { BookSort } from '#shared/book-filter.ts'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { visitorViewSearch } from '#shared/visitor-view.ts'
import { rich, t } from '#web/i18n/books.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx'
import { linkTo } from '#web/ui/link.tsx'
import { PageHeader } from '#web/ui/page-shell.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { NoBooks } from './no-books.tsx'
import { ShelfViewChoice, type ShelfView } from './shelf-view.tsx'
import { sortOptions } from './sort-options.ts'

type DialogButton = Pick<React.ComponentProps<'button'>, 'onClick' | 'onFocus'>

/** Name, count and owner of a shelf, the choice of view, and for its owner what can be done to it. */
export function ShelfHeader(props: {
  shelf: Bookshelf
  view: ShelfView
  onViewChange: (view: ShelfView) => void
  sort: BookSort
  onSortChange: (sort: BookSort) => void
  /** What the buttons that edit and delete it carry; only its owner has them. */
  edit?: DialogButton | undefined
  remove?: DialogButton | undefined
  bulkEdit?: React.ComponentProps<'button'> | undefined
  /** Its owner's button for a new book. */
  add?: React.ReactNode
}) {
  const { shelf, view, onViewChange, sort, onSortChange, edit, remove, bulkEdit, add } = props
  const owner = shelf.expand?.user?.username
  return (
    <PageHeader
      title={<bdi className="min-w-0 wrap-anywhere">{shelf.name}</bdi>}
      badge={
        <>
          <Badge>{t('bookCount', { count: shelf.book_count })}</Badge>
          {shelf.visibility === 'private' ? (
            <Badge>
              <Lock aria-hidden className="me-1 size-3" />
              {t('private')}
            </Badge>
          ) : null}
        </>
      }
      description={
        owner ? rich('shelfOf', { username: owner, link: linkTo(`/u/${owner}`) }) : undefined
      }
      actions={
        // Phones have two rows of it: what is done with the shelf, and how it is seen.
        <div className="flex flex-wrap items-center gap-2">
          {add}
          <span className="flex items-center gap-2 max-sm:order-1 max-sm:basis-full">
            <ShelfViewChoice view={view} onChange={onViewChange} />
            {shelf.book_count > 1 ? (
              <SelectField
                label={t('sort')}
                hideLabel
                className="min-w-0 max-sm:flex-1 sm:w-44"
                value={sort}
                options={sortOptions()}
                onChange={(event) => onSortChange(event.currentTarget.value as BookSort)}
              />
            ) : null}
          </span>
          {bulkEdit ? (
            <IconButton label={t('bulkEdit')} tone="outlined" {...bulkEdit}>
              <ListChecks aria-hidden />
            </IconButton>
          ) : null}
          {edit ? (
            <IconButton label={t('editShelf')} tone="outlined" {...edit}>
              <Pencil aria-hidden />
            </IconButton>
          ) : null}
          {edit ? (
            <a
              href={visitorViewSearch}
              aria-label={t('viewAsVisitor')}
              title={t('viewAsVisitor')}
              className={iconButtonClass('outlined')}
            >
              <Eye aria-hidden />
            </a>
          ) : null}
          {remove ? (
            <IconButton label={t('deleteShelf')} tone="outlined" {...remove}>
              <Trash2 aria-hidden />
            </IconButton>
          ) : null}
        </div>
      }
    />
  )
}

export function EmptyShelf({ isOwner }: { isOwner: boolean }) {
  return (
    <NoBooks icon={<Library />} isOwner={isOwner}>
      {isOwner ? t('emptyStartAdding') : t('noBooksHereYet')}
    </NoBooks>
  )
}
