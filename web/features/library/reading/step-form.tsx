import type { ReactNode } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { usePagePath } from '#web/ui/page-path.ts'

/** Sends the step of a book without scripts: the button in it is named `status`. */
export function StepForm({ book, children }: { book: UserBook; children: ReactNode }) {
  return (
    <form method="post" action={usePagePath()} className="contents">
      <input type="hidden" name="book" value={book.id} />
      {children}
    </form>
  )
}
