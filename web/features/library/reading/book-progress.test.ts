import { expect, test } from 'vitest'
import type { UserBook } from '#shared/user-book.ts'
import { progressText } from './book-progress.tsx'

test.each([
  [{ status: 'reading', page_count: 300, progress: 120 }, '120 of 300 pages'],
  [{ status: 'reading', page_count: 0, progress: 120 }, 'Page 120'],
  [{ status: 'reading', page_count: 0, progress: 0, progress_percent: 40 }, '40%'],
  [{ status: 'completed', page_count: 0, progress: 0 }, 'Completed'],
  [{ status: 'completed', page_count: 0, progress: 0, progress_percent: 100 }, '100%'],
] as const)('%j is shown as %s', (book, text) => {
  expect(progressText({ progress_percent: 0, ...book } as unknown as UserBook)).toBe(text)
})
