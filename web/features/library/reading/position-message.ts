import { isValidProgress } from '#shared/reading-position.ts'
import { userBookFields } from '#shared/user-book-form.ts'
import type { UserBook } from '#shared/user-book.ts'
import { issueMessage, ruleMessage } from '#web/i18n/rules.ts'
import type { Position } from './use-position.ts'

/** @returns why the rules refuse a position in a book, as the server would; undefined if they don't */
export function positionMessage(
  { page_count }: UserBook,
  { progress, progress_percent }: Position,
): string | undefined {
  const { shape } = userBookFields
  if (progress === undefined) {
    const [issue] = shape.progress_percent.safeParse(progress_percent).error?.issues ?? []
    return issue && issueMessage(issue, 'progress_percent')
  }
  const [issue] = shape.progress.safeParse(progress).error?.issues ?? []
  if (issue) return issueMessage(issue, 'progress')
  return isValidProgress({ page_count, progress })
    ? undefined
    : ruleMessage({ key: 'progressBeyondBook' })
}
