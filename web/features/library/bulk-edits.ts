import type { Bookshelf, Visibility } from '#shared/bookshelf.ts'
import type { Format } from '#shared/reading.ts'
import { cleanTags } from '#shared/tags.ts'
import { type Status, type UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/bulk.ts'
import type { BulkChange } from './bulk-work.ts'
import { statusLabel } from '#web/ui/status-badge.tsx'

/** One change to many records, and what makes each of them again what it was. */
export interface BulkEdit<T> {
  collection: BulkChange['collection']
  fields: (record: T) => Readonly<Record<string, unknown>>
  undone: (record: T) => Readonly<Record<string, unknown>>
  /** Whether there is anything to change. */
  concerns: (record: T) => boolean
  /** What is said when so many were changed. */
  tell: (count: number) => string
  /** Whether they stand elsewhere afterwards. */
  isMove?: boolean
}

export function moveTo(shelf: string, name: string): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ shelf }),
    undone: (book) => ({ shelf: book.shelf }),
    concerns: (book) => book.shelf !== shelf,
    tell: (count) => t('movedBooks', { count, shelf: name }),
    isMove: true,
  }
}

export function giveStatus(status: Status): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ status }),
    undone: ({ status: before, progress, progress_percent }) => ({
      status: before,
      progress,
      progress_percent,
    }),
    concerns: (book) => book.status !== status,
    tell: (count) => t('setBooksTo', { count, status: statusLabel(status) }),
  }
}

/** A book that would have too many tags is left as it is, and the server says so. */
export function addTags(tags: readonly string[]): BulkEdit<UserBook> {
  const withTags = (book: UserBook) => cleanTags([...(book.tags ?? []), ...tags])
  return {
    collection: 'user_books',
    fields: (book) => ({ tags: withTags(book) }),
    undone: (book) => ({ tags: book.tags ?? [] }),
    concerns: (book) => withTags(book).length > (book.tags ?? []).length,
    tell: (count) => t('taggedBooks', { count }),
  }
}

export function giveFormat(format: Format): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ format }),
    undone: (book) => ({ format: book.format ?? '' }),
    concerns: (book) => book.format !== format,
    tell: (count) => t('formatOfBooks', { count, format: t(`format.${format}`) }),
  }
}

export function hide(isPrivate: boolean): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ isPrivate }),
    undone: (book) => ({ isPrivate: book.isPrivate ?? false }),
    concerns: (book) => (book.isPrivate ?? false) !== isPrivate,
    tell: (count) => t(isPrivate ? 'hiddenBooks' : 'shownBooks', { count }),
  }
}

export function giveVisibility(visibility: Visibility): BulkEdit<Bookshelf> {
  return {
    collection: 'bookshelves',
    fields: () => ({ visibility }),
    undone: (shelf) => ({ visibility: shelf.visibility }),
    concerns: () => true,
    tell: (count) => t(visibility === 'public' ? 'madePublic' : 'madePrivate', { count }),
  }
}
