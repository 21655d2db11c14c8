import { safeOrigin } from '#shared/origin.ts'
import type { Status } from '#shared/user-book.ts'
import { actAsReader, FormError, serverAction, type ActInput } from '#web/api/act.ts'
import { updateBook } from '#web/api/library.ts'
import { t } from '#web/i18n/library.ts'
import { partialDateOf, sentDate } from '#web/ui/partial-date-field.tsx'

/** The fields of the form that a refusal shows again. */
const kept = ['rating', 'day', 'month', 'year', 'review', 'review_spoilers'] as const

/**
 * The form about a finished book, sent without scripts: its stars, its day and a review, or taking
 * the finish back. Leads to the page on which the book was finished.
 */
export const finishAction = serverAction(
  ({ api, form, url, params }) =>
    actAsReader(url, async () => {
      const edit = 'undo' in form ? { ...before(url), isUndo: true } : answers(form)
      await updateBook(api, params['bookId'] ?? '', edit)
      return safeOrigin(url.searchParams.get('origin'))
    }),
  { kept },
)

/** @throws FormError for a date that is none */
function answers(form: ActInput['form']) {
  const finished = partialDateOf(sentDate(form))
  if (finished === null) throw new FormError({ finished: t('noDate') })
  return {
    status: 'completed' as const,
    finished,
    rating: Number(form['rating'] ?? 0),
    review: form['review'] ?? '',
    review_spoilers: 'review_spoilers' in form,
  }
}

/** @returns the book's state before it was finished, which the page's address carries */
function before({ searchParams }: URL) {
  return {
    status: (searchParams.get('status') ?? '') as Status,
    progress: Number(searchParams.get('progress')),
    progress_percent: Number(searchParams.get('progress_percent')),
  }
}
