import { useRef, useState } from 'react'
import { isByPercent, pageAt, isValidProgress } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { errorMessage, fieldMessages, bookErrorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/books.ts'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { undoTime, undoOptions } from '../trash/undo.ts'
import { savedMessage, useBookEdit } from '../book-editor/use-book-edit.ts'

/** A reader's position in a book: a page, or a percentage if its length is unknown. */
export type Position = Partial<Pick<UserBook, 'progress' | 'progress_percent'>>

/** The amount that the step button adds: pages, or percent. */
const pageStep = 10
const percentStep = 5

/** @returns whether the book is counted in percent; one whose length is unknown begins that way */
export function countsPercent(book: UserBook): boolean {
  return isByPercent(book) || (book.page_count <= 0 && book.progress === 0)
}

/** @returns the number in the field: the page, or the percent */
export function positionNumber(book: UserBook): number {
  return countsPercent(book) ? book.progress_percent : book.progress
}

/** @returns the position for a number in the field */
export function positionAt(book: UserBook, number: number): Position {
  return countsPercent(book) ? { progress_percent: number } : { progress: number }
}

/** @returns the position at a share of the book, as the slider gives it: 0 to 100 */
export function positionAtPercent(book: UserBook, percent: number): Position {
  return countsPercent(book)
    ? { progress_percent: percent }
    : { progress: pageAt(percent, book.page_count) }
}

/** @returns the number one step on, and how far the step goes; undefined at the end of the book */
export function nextNumber(book: UserBook): { number: number; by: number } | undefined {
  const inPercent = countsPercent(book)
  const now = Math.floor(positionNumber(book))
  const pages = Math.floor(book.page_count)
  const end = inPercent ? 100 : pages > 0 ? pages : Number.POSITIVE_INFINITY
  const by = Math.min(inPercent ? percentStep : pageStep, end - now)
  return by > 0 ? { number: now + by, by } : undefined
}

/** @returns why the book cannot be at this position, as the server would say */
export async function positionError(
  book: UserBook,
  position: Position,
): Promise<string | undefined> {
  const { progress, progress_percent } = position
  const number = progress ?? progress_percent ?? 0
  const fits = progress === undefined || isValidProgress({ page_count: book.page_count, progress })
  const most = progress === undefined ? 100 : 1e5
  if (fits && Number.isInteger(number) && number >= 0 && number <= most) return undefined
  // Few readers see a sentence of the rules: it comes when a position is wrong.
  return (await import('./position-message.ts')).positionMessage(book, position)
}

/**
 * Saves where the reader is, with the way back in a message. Several steps in a row are one change:
 * Undo goes back to before the first.
 *
 * @param refused why the position was refused that was sent without scripts
 * @returns the save, which answers whether it was kept, and the sentence for the field if it was not
 */
export function usePositionSave(book: UserBook, refused?: string) {
  const { mutateAsync } = useBookEdit(book)
  const [error, setError] = useState(refused)
  const first = useRef<{ position: Position; at: number }>(undefined)

  async function save(position: Position): Promise<boolean> {
    const wrong = await positionError(book, position)
    setError(wrong)
    if (wrong) return false
    const before = { progress: book.progress, progress_percent: book.progress_percent }
    const names = Object.keys(position) as (keyof Position)[]
    if (names.every((name) => before[name] === position[name])) return true
    const now = performance.now()
    const isSeries = first.current && now - first.current.at < undoTime
    const start = isSeries ? first.current!.position : before
    first.current = { position: start, at: now }
    try {
      await mutateAsync(position)
    } catch (failure) {
      const { progress, progress_percent } = fieldMessages(failure)
      setError(progress ?? progress_percent ?? bookErrorMessage(failure))
      return false
    }
    const undo = () => {
      first.current = undefined
      mutateAsync({ ...start, isUndo: true }).catch((failure: unknown) =>
        showError(errorMessage(failure)),
      )
    }
    const toast = await fetchToast()
    const { title } = book
    const saved =
      position.progress === undefined
        ? t('savedPercent', { percent: position.progress_percent ?? 0, title })
        : t('savedPage', { page: position.progress, title })
    toast.success(savedMessage(book.id, saved), { id: `place-${book.id}`, ...undoOptions(undo) })
    return true
  }

  return { save, error, clearError: () => setError(undefined) }
}
