import type { ReactNode } from 'react'
import { formatNumber } from '#web/i18n/format.ts'
import { classNames } from './class-names.ts'

/** A list of figures; its children are `Stat`s. */
export function StatList({
  isLoading = false,
  children,
}: {
  isLoading?: boolean
  children: ReactNode
}) {
  return (
    <dl
      aria-busy={isLoading || undefined}
      className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-4"
    >
      {children}
    </dl>
  )
}

export function Stat(props: {
  label: ReactNode
  value: ReactNode
  className?: string | undefined
}) {
  const { label, value, className } = props
  return (
    <div className={classNames('flex min-w-0 flex-col-reverse justify-end gap-0.5', className)}>
      <dt className="text-xs text-ink-soft sm:text-sm">{label}</dt>
      <dd className="font-serif text-2xl tabular-nums">
        {typeof value === 'number' ? formatNumber(value) : value}
      </dd>
    </div>
  )
}
