import { Suspense, type ReactNode } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'

/** One part of what is known about a book: its name, what one does with it, and what it holds. */
export function JournalSection(props: { title: string; action?: ReactNode; children: ReactNode }) {
  const { title, action, children } = props
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={title}>
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="text-lg">{title}</h2>
        {action}
      </header>
      <Suspense fallback={<Spinner />}>{children}</Suspense>
    </section>
  )
}
