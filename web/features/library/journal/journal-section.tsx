import { Suspense, type ReactNode } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'

/** One part of what is known about a book: its name and what it holds. */
export function JournalSection(props: { title: string; children: ReactNode }) {
  const { title, children } = props
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={title}>
      <h2 className="text-xl">{title}</h2>
      <Suspense fallback={<Spinner />}>{children}</Suspense>
    </section>
  )
}
