import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Slot } from './slot.tsx'

/** The look of tabs, whether they are pages or panels of one. */
export const tabBarClass = 'flex gap-1 overflow-x-auto border-b border-line scrollbar-none'
export const tabClass = classNames(
  'relative inline-flex min-h-11 shrink-0 items-center gap-2 rounded-t-md px-3 text-sm font-medium whitespace-nowrap transition-colors hover:text-ink',
  'outline-offset-[-2px] after:absolute after:start-3 after:end-3 after:bottom-0 after:h-0.5 after:rounded-full',
)

export function NavTabs(props: {
  ref?: Ref<HTMLElement>
  label: string
  className?: string | undefined
  children: ReactNode
}) {
  const { ref, label, className, children } = props
  return (
    <nav ref={ref} aria-label={label} className={classNames(tabBarClass, className)}>
      {children}
    </nav>
  )
}

/** Wraps one link; `current` marks the page that is shown. */
export function NavTab(props: {
  current: boolean
  className?: string | undefined
  children: ReactNode
}) {
  const { current, className, children } = props
  return (
    <Slot
      aria-current={current ? 'page' : undefined}
      className={classNames(
        tabClass,
        current ? 'text-ink after:bg-rubric' : 'text-ink-soft',
        className,
      )}
    >
      {children}
    </Slot>
  )
}
