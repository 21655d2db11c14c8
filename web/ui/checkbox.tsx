import { Check } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

type CheckboxProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  className?: string | undefined
}

export function Checkbox({ label, hint, className, checked, onCheckedChange }: CheckboxProps) {
  const id = useId()
  return (
    <div className={classNames('flex min-h-11 items-start gap-3 py-2.5', className)}>
      <Radix.Root
        id={id}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onCheckedChange={(next) => onCheckedChange(next === true)}
        className="relative mt-0.5 grid size-5 shrink-0 place-items-center rounded-cover border border-line-strong bg-surface transition-colors after:absolute after:-inset-3 data-[state=checked]:border-rubric-fill data-[state=checked]:bg-rubric-fill data-[state=checked]:text-on-rubric"
      >
        <Radix.Indicator>
          <Check aria-hidden className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <span className="grid gap-0.5 text-sm">
        <label htmlFor={id} className="leading-6">
          {label}
        </label>
        {hint ? (
          <span id={`${id}-hint`} className="text-ink-soft">
            {hint}
          </span>
        ) : null}
      </span>
    </div>
  )
}
