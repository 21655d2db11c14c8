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
}) {
  const { label, tabs, value, onValueChange } = props
  const first = tabs[0]?.value
  return (
    <Radix.Root
      dir={currentDirection()}
      {...(value === undefined ? {} : { value })}
      {...(value !== undefined || first === undefined ? {} : { defaultValue: first })}
      onValueChange={(next) => onValueChange?.(next as Value)}
    >
      <Radix.List aria-label={label} className={tabBarClass}>
        {tabs.map((entry) => (
          <Radix.Trigger
            key={entry.value}
            value={entry.value}
            // The library focuses what is pressed, which the browser takes for the keyboard's doing.
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
      {tabs.map((entry) => (
        <Radix.Content key={entry.value} value={entry.value} className="pt-5">
          {entry.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
