import type { Status, UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { positionText } from '../reading/book-progress.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'

/** @returns "Reading · Page 120" */
export function stateText(book: UserBook): string {
  const isPart = book.status !== 'completed' && (book.progress > 0 || book.progress_percent > 0)
  return [statusLabel(book.status), isPart ? positionText(book) : ''].filter(Boolean).join(' · ')
}

/**
 * @param message says that the book was added
 * @param asked the status it was added with
 * @returns the message, with the book's state if the reader had it already and that state stays
 */
export function withKnownState(message: string, added: UserBook, asked: Status): string {
  const isAsAsked = added.status === asked && (asked !== 'planning' || added.progress === 0)
  return isAsAsked ? message : `${message} · ${stateText(added)}`
}

/** Says before a further copy is added that the book stays as it is. */
export function KnownState({ copy }: { copy: UserBook }) {
  return <p className="text-sm text-ink-soft">{t('alreadyYours', { state: stateText(copy) })}</p>
}
