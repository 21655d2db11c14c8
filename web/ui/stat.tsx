import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A list of figures; its children are `Stat`s. */
export function StatList({
  children,
  className,
}: {
  children: ReactNode
  className?: string | undefined
}) {
  return (
    <dl
      className={classNames('grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-4', className)}
    >
      {children}
    </dl>
  )
}

export function Stat({
  label,
  value,
  hint,
  className,
}: {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  className?: string | undefined
}) {
  return (
    <div className={classNames('flex min-w-0 flex-col-reverse justify-end gap-0.5', className)}>
      <dt className="text-xs text-ink-soft sm:text-sm">
        {label}
        {hint ? <span className="block text-xs text-ink-faint">{hint}</span> : null}
      </dt>
      <dd className="font-serif text-2xl tabular-nums">{value}</dd>
    </div>
  )
}
