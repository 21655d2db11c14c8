import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a book's row that is still coming; `children` are what stands at its end. */
export function RowSkeleton({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div aria-hidden className={className}>
      <Skeleton className="aspect-2/3 w-full" />
      <div className="grid gap-2">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      {children}
    </div>
  )
}
