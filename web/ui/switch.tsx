import { Switch as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { useScriptControl } from './hydrated.ts'

type SwitchProps = {
  label: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

/** For a choice that takes effect at once; in a form use a checkbox. */
export function Switch({ label, checked, onCheckedChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Radix.Root
        id={id}
        checked={checked}
        {...useScriptControl()}
        onCheckedChange={onCheckedChange}
        className="relative h-7 w-12 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors hover:border-ink-soft after:absolute after:-inset-2.5 data-[state=checked]:border-rubric-fill data-[state=checked]:bg-rubric-fill"
      >
        <Radix.Thumb className="block size-5 translate-x-1 rtl:-translate-x-1 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-6 rtl:data-[state=checked]:-translate-x-6 data-[state=checked]:bg-on-rubric forced-colors:bg-[ButtonText]" />
      </Radix.Root>
    </div>
  )
}
