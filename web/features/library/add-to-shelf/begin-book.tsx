import type { Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { NextStepButton } from '../reading/next-step-button.tsx'
import { nextSteps } from '../reading/use-step.tsx'
import { WantToReadButton } from './add-to-shelf-want.tsx'

/** The button that begins a book: wants it, or starts or resumes the reader's own. */
export function BeginBook({ book, own }: { book: Book; own: UserBook | undefined }) {
  if (!own) return <WantToReadButton book={book} variant="primary" size="md" />
  if (own.status === 'reading' || own.status === 'completed') return null
  return <NextStepButton book={own} step={nextSteps[own.status]} variant="primary" />
}
