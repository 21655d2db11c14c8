import type { ReactNode } from 'react'
import { ScriptButton } from './script-button.tsx'

/** Chips in one row that is pushed sideways; it fades before what stands at its end. */
export function ChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset
      aria-label={label}
      className="-ms-0.5 flex min-w-0 flex-1 overflow-x-auto pe-8 scrollbar-none fade-end max-md:-ms-4 max-md:ps-3.5"
    >
      {children}
    </fieldset>
  )
}

/** A toggle without a border, filled while it is on. 34 pixels high in a target of 44. */
export function RowChip(props: { pressed: boolean; onPress: () => void; children: ReactNode }) {
  const { pressed, onPress, children } = props
  return (
    <ScriptButton
      aria-pressed={pressed}
      onClick={onPress}
      className="group/chip inline-flex h-11 max-w-full shrink-0 items-center rounded-full px-0.5 text-sm font-medium text-ink-soft outline-offset-[-5px] hover:text-ink"
    >
      <span className="inline-flex min-h-8.5 items-center gap-1.5 rounded-full px-2 whitespace-nowrap group-aria-pressed/chip:bg-ink group-aria-pressed/chip:px-3 group-aria-pressed/chip:text-paper group-aria-pressed/chip:[&_svg]:text-current">
        {children}
      </span>
    </ScriptButton>
  )
}
