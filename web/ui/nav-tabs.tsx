import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Slot } from './slot.tsx'

/** The look of tabs, whether they are pages or panels of one. */
export const tabBarClass = 'flex gap-1 overflow-x-auto border-b border-line scrollbar-none'
export const tabClass = classNames(
  'relative inline-flex min-h-11 shrink-0 items-center gap-2 rounded-t-md px-3 text-sm font-medium whitespace-nowrap transition-colors hover:text-ink',
  'outline-offset-[-2px] after:absolute after:start-3 after:end-3 after:-bottom-px after:h-0.5 after:rounded-full',
)

export function NavTabs(props: {
  label: string
  className?: string | undefined
  children: ReactNode
}) {
  const { label, className, children } = props
  return (
    <nav aria-label={label} className={classNames(tabBarClass, className)}>
      {children}
    </nav>
  )
}

/** Around one link; `current` marks the page that is shown. */
export function NavTab({ current, children }: { current: boolean; children: ReactNode }) {
  return (
    <Slot
      aria-current={current ? 'page' : undefined}
      className={classNames(tabClass, current ? 'text-ink after:bg-rubric' : 'text-ink-soft')}
    >
      {children}
    </Slot>
  )
}
