import { classNames } from './class-names.ts'
import { t } from '#web/i18n/shell.ts'

const bone = 'animate-shimmer rounded-cover bg-line'

/** A quiet block in the size of what is coming; hidden from screen readers. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={classNames('block', bone, className)} />
}

export function CoverCardSkeleton() {
  return (
    <div aria-hidden className="grid gap-2">
      <Skeleton className="aspect-2/3 w-full" />
      <div className="grid h-17 content-start gap-2 pt-1">
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-3 w-2/3" />
      </div>
    </div>
  )
}

export function ListRowSkeleton() {
  return (
    <div aria-hidden className="flex items-center gap-4 border-b border-line py-3">
      <Skeleton className="aspect-2/3 w-12 shrink-0" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
      <Skeleton className="h-6 w-20" />
    </div>
  )
}

/** The same shape several times, with one sentence for those who cannot see it. */
export function SkeletonGroup(props: {
  count: number
  of: () => React.ReactNode
  label?: string | undefined
  className?: string | undefined
}) {
  const { count, of: Shape, label = t('loading'), className } = props
  return (
    <div className={className}>
      <output className="sr-only">{label}</output>
      {Array.from({ length: count }, (_, place) => (
        <Shape key={place} />
      ))}
    </div>
  )
}
