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
  undoFields: (record: T) => Readonly<Record<string, unknown>>
  /** Whether there is anything to change. */
  applies: (record: T) => boolean
  /** The message after that many were changed. */
  message: (count: number) => string
  /** Whether they stand elsewhere afterwards. */
  isMove?: boolean
}

export function moveTo(shelf: string, name: string): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ shelf }),
    undoFields: (book) => ({ shelf: book.shelf }),
    applies: (book) => book.shelf !== shelf,
    message: (count) => t('movedBooks', { count, shelf: name }),
    isMove: true,
  }
}

export function setStatus(status: Status): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ status }),
    undoFields: ({ status: before, progress, progress_percent }) => ({
      status: before,
      progress,
      progress_percent,
    }),
    applies: (book) => book.status !== status,
    message: (count) => t('setBooksTo', { count, status: statusLabel(status) }),
  }
}

/** A book that would have too many tags is left as it is, and the server says so. */
export function addTags(tags: readonly string[]): BulkEdit<UserBook> {
  const withTags = (book: UserBook) => cleanTags([...(book.tags ?? []), ...tags])
  return {
    collection: 'user_books',
    fields: (book) => ({ tags: withTags(book) }),
    undoFields: (book) => ({ tags: book.tags ?? [] }),
    applies: (book) => withTags(book).length > (book.tags ?? []).length,
    message: (count) => t('taggedBooks', { count }),
  }
}

export function setFormat(format: Format): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ format }),
    undoFields: (book) => ({ format: book.format ?? '' }),
    applies: (book) => book.format !== format,
    message: (count) => t('formatOfBooks', { count, format: t(`format.${format}`) }),
  }
}

export function setPrivate(isPrivate: boolean): BulkEdit<UserBook> {
  return {
    collection: 'user_books',
    fields: () => ({ isPrivate }),
    undoFields: (book) => ({ isPrivate: book.isPrivate ?? false }),
    applies: (book) => (book.isPrivate ?? false) !== isPrivate,
    message: (count) => t(isPrivate ? 'hiddenBooks' : 'shownBooks', { count }),
  }
}

export function setVisibility(visibility: Visibility): BulkEdit<Bookshelf> {
  return {
    collection: 'bookshelves',
    fields: () => ({ visibility }),
    undoFields: (shelf) => ({ visibility: shelf.visibility }),
    applies: () => true,
    message: (count) => t(visibility === 'public' ? 'madePublic' : 'madePrivate', { count }),
  }
}
