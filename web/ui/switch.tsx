import { Switch as Radix } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ControlText } from './control-text.tsx'

export type SwitchProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean | undefined
  className?: string | undefined
}

/** For a choice that takes effect at once; in a form use a checkbox. */
export function Switch({
  label,
  hint,
  checked,
  onCheckedChange,
  disabled = false,
  className,
}: SwitchProps) {
  const id = useId()
  return (
    <div className={classNames('flex min-h-11 items-center justify-between gap-4', className)}>
      <ControlText id={id} label={label} hint={hint} className="font-medium" />
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onCheckedChange}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-7 w-12 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors hover:border-ink-soft after:absolute after:-inset-2.5 disabled:opacity-60 data-[state=checked]:border-rubric-fill data-[state=checked]:bg-rubric-fill"
      >
        <Radix.Thumb className="block size-5 translate-x-1 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-6 data-[state=checked]:bg-white forced-colors:bg-[ButtonText]" />
      </Radix.Root>
    </div>
  )
}
