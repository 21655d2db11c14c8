import { Slot, Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const bar = 'flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]'
const tab = classNames(
  'relative inline-flex min-h-11 shrink-0 items-center gap-2 rounded-t-md px-3 text-sm font-medium whitespace-nowrap transition-colors hover:text-ink',
  'outline-offset-[-2px] after:absolute after:inset-x-3 after:-bottom-px after:h-0.5 after:rounded-full',
)

export type TabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode; icon?: ReactNode; content: ReactNode }[]
  value?: Value | undefined
  defaultValue?: Value | undefined
  onValueChange?: ((value: Value) => void) | undefined
  className?: string | undefined
}

/** Panels of one page. For tabs that are pages of their own use `NavTabs`. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, tabs, value, defaultValue = tabs[0]?.value, onValueChange, className } = props
  return (
    <Radix.Root
      {...(value === undefined ? {} : { value })}
      {...(value !== undefined || defaultValue === undefined ? {} : { defaultValue })}
      onValueChange={(next) => onValueChange?.(next as Value)}
      {...(className === undefined ? {} : { className })}
    >
      <Radix.List aria-label={label} className={bar}>
        {tabs.map((entry) => (
          <Radix.Trigger
            key={entry.value}
            value={entry.value}
            className={classNames(
              tab,
              'text-ink-soft data-[state=active]:text-ink data-[state=active]:after:bg-rubric',
            )}
          >
            {entry.icon}
            {entry.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((entry) => (
        <Radix.Content key={entry.value} value={entry.value} className="pt-5">
          {entry.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

export function NavTabs({
  label,
  className,
  children,
}: {
  label: string
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <nav aria-label={label} className={classNames(bar, className)}>
      {children}
    </nav>
  )
}

/** Around one link; `current` marks the page that is shown. */
export function NavTab({ current, children }: { current: boolean; children: ReactNode }) {
  return (
    <Slot.Root
      aria-current={current ? 'page' : undefined}
      className={classNames(tab, current ? 'text-ink after:bg-rubric' : 'text-ink-soft')}
    >
      {children}
    </Slot.Root>
  )
}
