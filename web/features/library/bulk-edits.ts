import type { Bookshelf, Visibility } from '#shared/bookshelf.ts'
import { type Status, type UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import type { BulkChange } from './bulk-work.ts'
import { statusLabel } from '#web/ui/status-badge.tsx'

/** One change to many records, and what makes each of them again what it was. */
export interface BulkEdit<T> {
  collection: BulkChange['collection']
  fields: Readonly<Record<string, unknown>>
  undone: (record: T) => Readonly<Record<string, unknown>>
  /** Whether there is anything to change. */
  concerns: (record: T) => boolean
  /** What is said when so many were changed. */
  tell: (count: number) => string
}

export function moveTo(shelf: string, name: string): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: { shelf },
    undone: (book) => ({ shelf: book.shelf }),
    concerns: (book) => book.shelf !== shelf,
    tell: (count) => t('movedBooks', { count, shelf: name }),
  }
}

export function giveStatus(status: Status): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: { status },
    undone: ({ status: before, progress, progress_percent }) => ({
      status: before,
      progress,
      progress_percent,
    }),
    concerns: (book) => book.status !== status,
    tell: (count) => t('setBooksTo', { count, status: statusLabel(status) }),
  }
}

export function giveVisibility(visibility: Visibility): BulkEdit<Bookshelf> {
  return {
    collection: 'bookshelves',
    fields: { visibility },
    undone: (shelf) => ({ visibility: shelf.visibility }),
    concerns: () => true,
    tell: (count) => t(visibility === 'public' ? 'madePublic' : 'madePrivate', { count }),
  }
}
