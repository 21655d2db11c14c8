import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { tabBarClass, tabClass } from './nav-tabs.tsx'
import { currentDirection } from '#web/i18n/language.ts'

/** Panels of one page. For tabs that are separate pages use `NavTabs`. */
export function Tabs<Value extends string>(props: {
  label: string
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[]
  value?: Value | undefined
  onValueChange?: ((value: Value) => void) | undefined
  /** A remark about the tabs, at their end, or below them on phones. */
  aside?: ReactNode
}) {
  const { label, tabs, value, onValueChange, aside } = props
  const first = tabs[0]?.value
  return (
    <Radix.Root
      dir={currentDirection()}
      {...(value === undefined ? {} : { value })}
      {...(value !== undefined || first === undefined ? {} : { defaultValue: first })}
      onValueChange={(next) => onValueChange?.(next as Value)}
    >
      <div className="relative">
        <Radix.List aria-label={label} className={tabBarClass}>
          {tabs.map((entry) => (
            <Radix.Trigger
              key={entry.value}
              value={entry.value}
              // Radix focuses the pressed tab, and browsers show that as keyboard focus.
              onMouseDown={(event) => event.currentTarget.focus({ focusVisible: false })}
              className={classNames(
                tabClass,
                'first:ps-0 first:after:start-0',
                'text-ink-soft data-[state=active]:text-ink data-[state=active]:after:bg-rubric',
              )}
            >
              {entry.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside ? (
          <p className="pt-2 text-sm text-ink-soft sm:absolute sm:end-0 sm:bottom-0 sm:flex sm:min-h-11 sm:items-center sm:pt-0">
            {aside}
          </p>
        ) : null}
      </div>
      {tabs.map((entry) => (
        <Radix.Content key={entry.value} value={entry.value} className="pt-5">
          {entry.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
