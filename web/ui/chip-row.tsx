import type { ReactNode } from 'react'

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

/**
 * A toggle without a border, filled while it is on. 34 pixels high in a target of 44. It submits the
 * form around it until a script is there.
 *
 * @param props.name of what it sends then, with `value`; a chip that sends nothing has none
 */
export function RowChip(props: {
  name?: string | undefined
  value?: string
  pressed: boolean
  onPress: () => void
  children: ReactNode
}) {
  const { name, value, pressed, onPress, children } = props
  return (
    <button
      type="submit"
      name={name}
      value={value}
      aria-pressed={pressed}
      onClick={(event) => {
        event.preventDefault()
        onPress()
      }}
      className="group/chip inline-flex h-11 max-w-full shrink-0 items-center rounded-full px-0.5 text-sm font-medium text-ink-soft outline-offset-[-5px] hover:text-ink"
    >
      <span className="inline-flex min-h-8.5 items-center gap-1.5 rounded-full px-2 whitespace-nowrap group-aria-pressed/chip:bg-ink group-aria-pressed/chip:px-3 group-aria-pressed/chip:text-paper group-aria-pressed/chip:[&_svg]:text-current">
        {children}
      </span>
    </button>
  )
}
